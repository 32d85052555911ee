import { Response, fetch as undiciFetch } from 'undici';

/** Characters of an error that are read as its text. */
const LONGEST = 4_000;

/**
 * The `openai` package finds the words of an error in one shape alone, `{"error":{"message":...}}`, and drops all others,
 * down to "400 status code (no body)". Compatible endpoints have others: Gemini an array of one, proxies and frameworks
 * `{"message":...}` or `{"detail":...}`. An error in another JSON shape is passed on in that one, its text as it came; what
 * was refused, and why, is in no other place.
 */
export const fetchWithLegibleErrors: typeof undiciFetch = async (input, init) => {
  const response = await undiciFetch(input, init);
  if (response.ok) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !/^content-(length|encoding)$/.test(name)),
  );
  return new Response(legible(text), { status, statusText, headers });
};

function legible(text: string): string {
  const parsed = parseJson(text);
  const error = errorOf(Array.isArray(parsed) ? parsed[0] : parsed);
  if (parsed === undefined) return text;
  return JSON.stringify({ error: error ?? { message: text.slice(0, LONGEST) } });
}

function errorOf(body: unknown): object | undefined {
  const error = (body as { error?: { message?: unknown } } | null | undefined)?.error;
  return typeof error === 'object' && typeof error?.message === 'string' ? error : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
