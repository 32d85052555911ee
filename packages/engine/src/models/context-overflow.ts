/**
 * Which refusals of an endpoint mean "too large", and of what. A status alone says little: the same refusal comes as 400, 413,
 * 422, 429 and 500, and a 429 that names tokens is mostly about tokens per minute. So it is the text that decides, and only a
 * few texts do. Each is written as it was seen (openai, Azure, Anthropic, Bedrock, Gemini and Vertex, vLLM, llama.cpp, LiteLLM,
 * OpenRouter, nginx, Cloudflare, Envoy), read in 2026-11.
 */
export type OverflowKind =
  | 'tokens'
  | 'body_bytes'
  | 'image_bytes'
  | 'images_total'
  | 'image_count'
  | 'image_rejected';

export interface ContextOverflow {
  kind: OverflowKind;
  /** What the endpoint takes, in tokens, bytes or pictures, if it has named it. */
  limit: number | null;
  /** What it was given. */
  actual: number | null;
}

interface Pattern {
  kind: OverflowKind;
  text: RegExp;
  /** Statuses that it comes with; left out: any. Undefined among them: an event within a stream. */
  statuses?: readonly (number | undefined)[];
}

/** Numbers with separators and units: `5.00MB`, `200000`, `1,048,576`, `32 MB`. */
const SIZE = String.raw`(\d[\d,._]*)\s*(bytes?|[kmg]i?b)?`;

/** Too fast, or paid up: nothing of it passes by a smaller request. They win over all that follows. */
const NOT_OVERFLOW: readonly RegExp[] = [
  /throttl/i,
  /too many (tokens|requests)(?! in (the )?(prompt|input|request))/i,
  /rate.?limit/i,
  /\b(tokens|requests|images) per (min|minute|day|hour)\b/i,
  /\b(tpm|rpm|tpd)\b/i,
  /quota/i,
  /overloaded/i,
];

const size = (before: string, between: string, after = ''): RegExp =>
  new RegExp(
    `${before}${between.replace(/LIMIT/, `(?<limit>${SIZE.replace(/\(/g, '(?:')})`).replace(/ACTUAL/, `(?<actual>${SIZE.replace(/\(/g, '(?:')})`)}${after}`,
    'i',
  );

const PATTERNS: readonly Pattern[] = [
  // Anthropic, one picture: "image exceeds 5 MB maximum: 6500712 bytes > 5242880 bytes".
  { kind: 'image_bytes', text: size('image exceeds [\\d.]+ ?[kmg]b maximum: ', 'ACTUAL > LIMIT') },
  // Anthropic, one picture in pixels: a smaller one passes.
  { kind: 'image_bytes', text: /image dimensions exceed max allowed size/i },
  // OpenAI: "Total image size is 50.56MB, which exceeds the allowed limit of 50MB."
  {
    kind: 'images_total',
    text: size('total image size is ', 'ACTUAL,? which exceeds the allowed limit of LIMIT'),
  },
  {
    kind: 'images_total',
    text: size('total (?:size|payload) of (?:all )?images? ', '.*exceed.*?(?:limit|maximum) (?:of )?LIMIT'),
  },
  // OpenAI and Azure, one picture.
  {
    kind: 'image_bytes',
    text: size('image(?: size| file)?[^.]*(?:too large|exceeds)', '[^.]*?(?:limit|maximum|max)[^.\\d]*LIMIT'),
  },
  { kind: 'image_bytes', text: /image(?: is| file is| size is)? too (?:large|big)/i },
  // OpenAI, Anthropic ("more than 100 images"), vLLM ("At most 4 image(s) may be provided in one request").
  { kind: 'image_count', text: /at most (?<limit>\d+) image(?:\(s\)|s)? may be provided/i },
  { kind: 'image_count', text: /too many images(?:[^\d]*(?<actual>\d+)[^\d]+(?<limit>\d+))?/i },
  { kind: 'image_count', text: /(?:more than|maximum(?: number)? of|up to|limit of) (?<limit>\d+) images?/i },
  // One that cannot be read: it would be refused in every later request as well.
  {
    kind: 'image_rejected',
    text: /(?:could not|cannot|unable to|failed to) (?:process|decode|read|parse|load) (?:the )?(?:input )?image/i,
  },
  {
    kind: 'image_rejected',
    text: /invalid_image|invalid image|image_parse_error|unsupported image|image data is not valid|does not represent a valid image|not a valid image/i,
  },
  {
    kind: 'image_rejected',
    text: /image does not match the provided media type|provided image is not valid/i,
  },
  // Anthropic and Bedrock: "prompt is too long: 213462 tokens > 200000 maximum".
  { kind: 'tokens', text: size('prompt is too long: ', '(?<actual>\\d+) tokens > (?<limit>\\d+)') },
  // Anthropic: "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000".
  { kind: 'tokens', text: /exceed context limit: (?<actual>\d+) \+ (?<more>\d+) > (?<limit>\d+)/i },
  // OpenAI, Azure, vLLM: "maximum context length is 128000 tokens. However, [you requested|your messages resulted in] 130000 tokens".
  {
    kind: 'tokens',
    text: /maximum context length is (?<limit>\d+) tokens[\s\S]*?(?:requested|resulted in|has|contains?|of)(?: about| at least)? (?<actual>\d+)(?: input)? tokens/i,
  },
  { kind: 'tokens', text: /maximum context length (?:is|of) (?<limit>\d+)/i },
  // Gemini, Vertex: "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)".
  {
    kind: 'tokens',
    text: /input token count[^\d]*(?<actual>\d+)\)? exceeds the maximum number of tokens allowed[^\d]*(?<limit>\d+)/i,
  },
  // xAI, Mistral: "maximum prompt length is 131072 but the request contains 537812 tokens"; "Prompt contains 40000 tokens ... too large for model with 32768 maximum".
  {
    kind: 'tokens',
    text: /maximum prompt length is (?<limit>\d+) but (?:the )?request contains (?<actual>\d+)/i,
  },
  {
    kind: 'tokens',
    text: /prompt contains (?<actual>\d+) tokens[\s\S]*?too large for model with (?<limit>\d+)/i,
  },
  // llama.cpp: "the request exceeds the available context size (8192 tokens)", "Requested tokens (5136) exceed context window of 4096".
  { kind: 'tokens', text: /requested tokens \((?<actual>\d+)\) exceed context window of (?<limit>\d+)/i },
  { kind: 'tokens', text: /exceeds? the available context size(?:[^\d]*(?<limit>\d+))?/i },
  // Bedrock: "Input is too long for requested model", "too many total text bytes".
  { kind: 'tokens', text: /input is too long for (?:the )?requested model|too many total text bytes/i },
  // By code alone: OpenAI, OpenRouter, LiteLLM.
  {
    kind: 'tokens',
    text: /context_length_exceeded|contextwindowexceeded|exceeds? the (?:model'?s )?(?:maximum )?context (?:window|length)|input exceeds the context window/i,
  },
  { kind: 'tokens', text: /too many (?:input )?tokens in (?:the )?(?:prompt|input|request)/i },
  // The whole body: nginx and Cloudflare as a page, Anthropic "request_too_large", Envoy, Express, Gemini.
  { kind: 'body_bytes', text: size('request payload size exceeds the limit: ', 'LIMIT') },
  {
    kind: 'body_bytes',
    text: size(
      '(?:request|payload|body)(?: body| size| entity)?[^.]{0,40}exceed[^.]{0,60}?',
      '(?:limit|maximum|max|allowed)[^.\\d]{0,30}LIMIT',
    ),
  },
  {
    kind: 'body_bytes',
    text: /request_too_large|request entity too large|payload too large|content too large|request exceeds the maximum (?:allowed )?(?:number of bytes|size)|body (?:is )?too large|request (?:body )?(?:is )?too large/i,
  },
];

/** Vertex says nothing but this for a body that it will not take. As 429 the same word means too much haste. */
const EXHAUSTED = /RESOURCE_EXHAUSTED/;

const UNITS: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

function numberOf(text: string | undefined): number | null {
  const found = text === undefined ? null : new RegExp(`^${SIZE}`, 'i').exec(text);
  if (!found) return null;
  const value = Number((found[1] ?? '').replace(/[,_]/g, '').replace(/\.$/, ''));
  if (!Number.isFinite(value) || value <= 0) return null;
  return Math.floor(value * (UNITS[(found[2] ?? '').toLowerCase()] ?? 1));
}

/**
 * What was too large in a request that was refused; null when the refusal is about something else.
 *
 * @param status of the answer; undefined when it came as an event within a stream
 * @param text all that the endpoint said: message, code, type
 */
export function recogniseOverflow(status: number | undefined, text: string): ContextOverflow | null {
  if (NOT_OVERFLOW.some((pattern) => pattern.test(text))) return null;
  for (const { kind, text: pattern, statuses } of PATTERNS) {
    if (statuses !== undefined && !statuses.includes(status)) continue;
    const found = pattern.exec(text);
    if (!found) continue;
    const { limit, actual, more } = found.groups ?? {};
    const given = numberOf(actual);
    const added = numberOf(more) ?? 0;
    return { kind, limit: numberOf(limit), actual: given === null ? null : given + added };
  }
  if (status === 413) return { kind: 'body_bytes', limit: null, actual: null };
  if (status === 500 && EXHAUSTED.test(text)) return { kind: 'body_bytes', limit: null, actual: null };
  return null;
}
