import type { ContextConfig } from '@plinth/protocol';
import type { ContextCut } from './context-cut.js';
import { picturesOf, type Unit } from './conversation-units.js';
import { countTokens, fitsTokens } from './count-tokens.js';
import { clearedResult, headOf, shortenedText } from './reduced-texts.js';

/**
 * What the summariser reads: the exchanges that leave, as text and without media, behind the summary of what left before. It
 * is bounded: each text is shortened as far as needed, and then the oldest go.
 */

/** Characters of one text, from roomy to tight. */
const LONGEST = [4_000, 1_500, 500, 200];

interface Said {
  content?: string | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

function linesOf(unit: Unit, longest: number): string[] {
  const short = (text: string) => shortenedText(text, longest);
  if (unit.kind === 'user') return [`User: ${short(userText(unit))}`];
  const { content, tool_calls: calls = [] } = JSON.parse(unit.message) as Said;
  return [
    ...(content ? [`Assistant: ${short(content)}`] : []),
    ...calls.map(({ function: asked }, index) => {
      const result = unit.results[index];
      const came = result === undefined ? '' : ` -> ${short(resultText(result))}`;
      return `Assistant called ${asked.name}(${short(asked.arguments)})${came}`;
    }),
    ...unit.images.map(({ title }) => `[Image: ${title}]`),
  ];
}

const resultText = (message: string): string =>
  (JSON.parse(clearedResult(message)) as { content: string }).content;

function userText(unit: Unit): string {
  if (unit.parts === null) return (JSON.parse(unit.message) as Said).content ?? '';
  const texts = unit.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [...texts, ...picturesOf(unit).map(({ title }) => `[Image: ${title}]`)].join('\n');
}

export function summaryMaterial(
  leaving: readonly Unit[],
  { summary }: ContextCut,
  { maxInputTokens }: ContextConfig['summary'],
): string {
  const before = summary === null ? [] : [`Summary of what came before:\n${summary}`];
  const written = (longest: number) => [...before, ...leaving.flatMap((unit) => linesOf(unit, longest))];
  for (const longest of LONGEST) {
    const text = written(longest).join('\n\n');
    if (fitsTokens(text, maxInputTokens)) return text;
  }
  return newest(
    before,
    leaving.flatMap((unit) => linesOf(unit, LONGEST.at(-1) ?? 0)),
    maxInputTokens,
  );
}

function newest(before: readonly string[], lines: readonly string[], maxTokens: number): string {
  const [summary = ''] = before;
  const kept: string[] = [];
  let left = maxTokens - countTokens(summary);
  for (const line of [...lines].reverse()) {
    left -= countTokens(line) + 2;
    if (left < 0) break;
    kept.unshift(line);
  }
  return [summary, ...kept].filter((text) => text !== '').join('\n\n');
}

/** A summary as it is kept: never longer than it was to be, whatever the model has made of that. */
export function boundedSummary(text: string, maxTokens: number): string {
  let bounded = text.trim();
  while (bounded !== '' && !fitsTokens(bounded, maxTokens))
    bounded = headOf(bounded, Math.floor(bounded.length * Math.min(0.95, maxTokens / countTokens(bounded))));
  return bounded;
}
