import { afterEach } from 'vitest';
import { type ModelSim, type ModelSimOptions, startModelSim } from '../server/start-model-sim.js';

let running: ModelSim | undefined;
afterEach(() => running?.close());

type Answer = { status: number; type: string | null; text: string };

/** A simulator for one test; `ask` sends a body as it is and gives back what came over the wire. */
export async function startPersona(
  options: ModelSimOptions,
): Promise<{ sim: ModelSim; ask(body: object): Promise<Answer> }> {
  const sim = await startModelSim(options);
  running = sim;
  return {
    sim,
    async ask(body) {
      const response = await fetch(`${sim.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', ...body }),
      });
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    },
  };
}

/** A user message with these images. */
export const showing = (...urls: string[]) => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        ...urls.map((url) => ({ type: 'image_url', image_url: { url } })),
      ],
    },
  ],
});

/** A user message of about so many tokens. */
export const saying = (tokens: number) => ({
  messages: [{ role: 'user', content: 'word'.repeat(tokens) }],
});

/** The message of an error in either of the shapes that are JSON. */
export function messageOf({ text }: Answer): string {
  const body = JSON.parse(text) as { error: { message: string } } | { error: { message: string } }[];
  return (Array.isArray(body) ? body[0] : body)?.error.message ?? '';
}

/** Tokens of the prompt as an accepted request reports them. */
export function promptTokensOf({ text }: Answer): number {
  return (JSON.parse(text) as { usage: { prompt_tokens: number } }).usage.prompt_tokens;
}
