/**
 * Which refusals of an endpoint mean "too large", and of what. A status alone says little: the same refusal comes as 400, 413,
 * 422 and 500, and what comes as 429 is about haste. So the text decides. Each pattern is written after texts that were seen,
 * read in 2026-11 (the tests hold them): OpenAI, Azure, Anthropic, Bedrock, Gemini, Vertex, xAI, Mistral, vLLM, llama.cpp,
 * LiteLLM, OpenRouter, nginx, Cloudflare, Envoy.
 */
export type OverflowKind =
  | 'tokens'
  | 'body_bytes'
  | 'image_bytes'
  | 'image_side'
  | 'images_total'
  | 'image_count'
  | 'image_rejected';

export interface ContextOverflow {
  kind: OverflowKind;
  /** What the endpoint takes, in tokens, bytes, pixels or pictures, if it has named it. */
  limit: number | null;
  /** What it was given. */
  actual: number | null;
}

/** Too fast, or not paid for: no smaller request helps. They win over all that follows. */
const NOT_OVERFLOW =
  /throttl|too many requests|too many tokens(?! in)|rate.?limit|\bper (?:min|minute|day|hour)\b|\b[tr]p[md]\b|quota/i;

/** A number with its unit, as a group of that name: `5.00MB`, `200000`, `1,048,576 bytes`. */
const size = (name: 'limit' | 'actual') =>
  String.raw`(?<${name}>\d[\d,.]*\d|\d)\s*(?<${name}Unit>bytes?|[kmg]i?b)?`;
const LIMIT = size('limit');
const ACTUAL = size('actual');

type Pattern = readonly [OverflowKind, RegExp];
const of = (kind: OverflowKind, ...texts: string[]): Pattern[] =>
  texts.map((text) => [kind, new RegExp(text, 'i')]);

/** The first that is found decides, so the more special ones stand first. */
const PATTERNS: readonly Pattern[] = [
  ...of('image_side', 'image dimensions exceed max allowed size[^:]*: (?<limit>\\d+) pixels'),
  ...of(
    'image_bytes',
    `image exceeds [\\d.]+ ?[kmg]?b maximum: ${ACTUAL} > ${LIMIT}`,
    `make sure your image is below ${LIMIT} in size`,
    `image[^.]{0,60}(?:too large|exceeds?)[^.]{0,60}(?:limit|maximum|max)[^.\\d]{0,20}${LIMIT}`,
    'image (?:file |size )?(?:is )?too (?:large|big)',
  ),
  ...of('images_total', `total image size is ${ACTUAL},? which exceeds the allowed limit of ${LIMIT}`),
  ...of(
    'image_count',
    'too many images and documents: (?<actual>\\d+) \\+ \\d+ > (?<limit>\\d+)',
    'too many images[^.]*\\.? ?(?:max(?:imum)?(?: is)? (?<limit>\\d+))?',
    'at most (?<limit>\\d+) image(?:\\(s\\)|s)? may be provided',
    'has (?<actual>\\d+) image files but the model only supports up to (?<limit>\\d+)',
    '(?:more than|maximum(?: number)? of) (?<limit>\\d+) images',
  ),
  // One that cannot be read would be refused in every later request as well.
  ...of(
    'image_rejected',
    '(?:could not|cannot|unable to|failed to) (?:process|decode|read|parse|load|open|identify) (?:the )?(?:input )?image',
    'invalid_image_format|image_parse_error|uploaded an unsupported image',
    'invalid image (?:data|format|type)|not a valid image|does not represent a valid image|image cannot be empty',
    'image does not match the provided media type|provided image is not valid',
    "unsupported mime type: image|media_type: input should be 'image/",
  ),
  ...of(
    'tokens',
    'prompt is too long: (?<actual>\\d+) tokens > (?<limit>\\d+)',
    'exceed context limit: (?<actual>\\d+) \\+ (?<more>\\d+) > (?<limit>\\d+)',
    'maximum context length is (?<limit>\\d+) tokens[\\s\\S]{0,80}?(?:requested|resulted in|has|contains)(?: about| at least)? (?<actual>\\d+)(?: input| output)? tokens',
    'maximum context length (?:is|of) (?<limit>\\d+)',
    'input token count[^\\d]{0,20}(?<actual>\\d+)\\)? exceeds the maximum number of (?:input )?tokens allowed[^\\d]{0,20}(?<limit>\\d+)',
    'maximum prompt length is (?<limit>\\d+) but (?:the )?request contains (?<actual>\\d+)',
    'prompt contains (?<actual>\\d+) tokens[\\s\\S]{0,80}?too large for model with (?<limit>\\d+)',
    'requested tokens \\((?<actual>\\d+)\\) exceed context window of (?<limit>\\d+)',
    'exceeds? the available context size(?: \\((?<limit>\\d+) tokens\\))?',
    'input is too long for (?:the )?requested model|too many total text bytes|prompt is too long',
    "context_length_exceeded|contextwindowexceeded|exceeds? the (?:model'?s )?(?:maximum )?context (?:window|length)",
    'too many tokens in (?:the )?(?:prompt|input|request)',
  ),
  ...of(
    'body_bytes',
    `request size is ${ACTUAL}\\. max size is ${LIMIT}`,
    `(?:payload|body|content)[^.]{0,30} exceed[^.]{0,40}?(?:limit|maximum|max|allowed)[^.\\d]{0,20}${LIMIT}`,
    'request_too_large|(?:request entity|payload|content|request body|request) too large|body is too large',
    'request exceeds the maximum (?:allowed )?(?:size|number of bytes)|request size is too large',
  ),
];

/** Vertex says nothing but this of a body that it will not take. As 429 the same word is about haste. */
const EXHAUSTED = /RESOURCE_EXHAUSTED/;

const UNITS: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

function numberOf(digits: string | undefined, unit = ''): number | null {
  if (digits === undefined) return null;
  const value = Number(digits.replaceAll(',', '')) * (UNITS[unit.toLowerCase()] ?? 1);
  return Number.isFinite(value) ? Math.floor(value) : null;
}

/**
 * What was too large in a request that was refused; null when the refusal is about something else.
 *
 * @param status of the answer; undefined when it came as an event within a stream
 * @param text all that the endpoint said: message, code, type
 */
export function recogniseOverflow(status: number | undefined, text: string): ContextOverflow | null {
  if (status === 500 && EXHAUSTED.test(text)) return { kind: 'body_bytes', limit: null, actual: null };
  if (status === 429 || NOT_OVERFLOW.test(text)) return null;
  for (const [kind, pattern] of PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { limit, limitUnit, actual, actualUnit, more } = found.groups ?? {};
    const given = numberOf(actual, actualUnit);
    return {
      kind,
      limit: numberOf(limit, limitUnit),
      actual: given === null ? null : given + (numberOf(more) ?? 0),
    };
  }
  return status === 413 ? { kind: 'body_bytes', limit: null, actual: null } : null;
}
