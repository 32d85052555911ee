import type { ContextReason } from '@plinth/protocol';
import { IMAGE_LADDER } from '../images/image-ladder.js';
import type { ContextCut } from './context-cut.js';
import { picturesOf, type Unit } from './conversation-units.js';
import { base64Length, bytesOf, type Draft } from './draft-request.js';
import { aboutTokens } from './message-tokens.js';

type Code = ContextReason['code'];

/** Adds up what is left out, by why. */
class Reasons {
  private readonly found = new Map<Code, ContextReason>();

  constructor(private readonly walls: ContextCut['walls']) {}

  add(
    code: Code,
    saved: { bytes: number; tokens?: number },
    wall: ContextReason['wall'] = 'tokens',
    detail: string | null = null,
  ): void {
    const { bytes, tokens = aboutTokens(bytes) } = saved;
    const known = this.found.get(code);
    this.found.set(code, {
      code,
      wall: this.walls[code] ?? wall,
      count: (known?.count ?? 0) + 1,
      tokens: (known?.tokens ?? 0) + Math.max(0, tokens),
      bytes: (known?.bytes ?? 0) + Math.max(0, bytes),
      detail: known?.detail ?? detail,
    });
  }

  get all(): ContextReason[] {
    return [...this.found.values()];
  }
}

const unitBytes = ({ message, results }: Unit): number =>
  [message, ...results].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Why what is not in a request, or is smaller in it, is so: all of it, whichever turn took it out. */
export function contextReasons(units: readonly Unit[], { cut, messages, shown }: Draft): ContextReason[] {
  const reasons = new Reasons(cut.walls);
  for (const unit of units.slice(0, cut.from))
    reasons.add(cut.summary === null ? 'history_dropped' : 'history_summarised', { bytes: unitBytes(unit) });
  for (const message of messages) {
    if (message.reduced === null) continue;
    const bytes = Buffer.byteLength(message.stored) - bytesOf(message);
    reasons.add(message.reduced === 'cleared' ? 'result_cleared' : 'text_shortened', { bytes });
  }
  const sizes = new Map<string, number>();
  for (const one of shown) {
    const { sha256, sizeBytes } = one.image;
    const whole = base64Length(sizeBytes);
    switch (one.as) {
      case 'picture': {
        const bytes = base64Length(one.size.sizeBytes);
        sizes.set(sha256, bytes);
        if (one.step > 0)
          reasons.add(
            'image_reduced',
            { bytes: whole - bytes, tokens: 0 },
            'bytes',
            `at most ${IMAGE_LADDER[one.step]?.side} pixels`,
          );
        break;
      }
      case 'repeated':
        reasons.add('image_repeated', { bytes: sizes.get(sha256) ?? whole, tokens: 0 }, 'bytes');
        break;
      case 'removed':
        reasons.add('image_removed', { bytes: whole, tokens: 0 }, 'bytes');
        break;
      case 'rejected':
        reasons.add('image_rejected', { bytes: whole, tokens: 0 }, 'endpoint');
        break;
      case 'unreadable':
        reasons.add('image_unreadable', { bytes: 0, tokens: 0 }, 'format', one.why);
    }
  }
  return reasons.all;
}

/** Hashes that a unit from there on still names. */
export function namedFrom(units: readonly Unit[], from: number): Set<string> {
  return new Set(units.slice(from).flatMap((unit) => picturesOf(unit).map(({ sha256 }) => sha256)));
}
