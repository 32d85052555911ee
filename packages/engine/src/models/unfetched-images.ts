/**
 * Which refusals mean that the endpoint could not fetch a picture from the address that it was given. The texts decide, as
 * they do of what is too large: the same refusal comes as 400, 403, 422 and 500. Where each was read, in 2026-11, stands
 * beside it.
 */
const PATTERNS: readonly RegExp[] = [
  // OpenAI. openai/openai-python#2776, vercel/ai#8857; crmne/ruby_llm#135; riverscuomo/cuomputer#95, with its code.
  // "Timeout while downloading url: …" is that of Volcengine Ark: getzep/graphiti#1002.
  /(?:error|timeout) while downloading \S/i,
  /invalid_image_url/i,
  /failed to download (?:the )?(?:image|file)\b/i,
  // Anthropic, over its own API. The first also as OpenRouter passes it on; the others as requests by address were answered.
  /unable to download the file/i,
  /this url is disallowed by the website/i,
  /only https urls are supported/i,
  // Claude on Vertex, which takes none at all: BerriAI/litellm#23016.
  /url sources are not supported/i,
  // Gemini. googleapis/js-genai#1385.
  /cannot fetch content from the provided url/i,
  // DashScope. agentscope-ai/agentscope-java#2700.
  /failed to download multimodal content/i,
];

/**
 * Whether a refusal is about a picture that could not be fetched: the same pictures inside the body would do.
 *
 * @param text all that the endpoint said: message, code, type
 */
export function isUnfetchedImage(status: number | undefined, text: string): boolean {
  // Haste is no matter of where a picture stands.
  return status !== 429 && PATTERNS.some((pattern) => pattern.test(text));
}
