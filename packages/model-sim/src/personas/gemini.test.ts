import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { dataUrl, GIF, png } from '../images/sample-images.test-support.js';
import { messageOf, promptTokensOf, saying, showing, startPersona } from './personas.test-support.js';

const start = (walls = {}) => startPersona({ persona: 'gemini', walls });

describe('the Gemini persona', () => {
  test('counts the input alone, and puts its error into an array', async () => {
    const { ask } = await start({ windowTokens: 1000 });
    const answer = await ask(saying(1000));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual([
      {
        error: {
          code: 400,
          message: 'The input token count (1007) exceeds the maximum number of tokens allowed (1000).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]);
    expect((await ask({ ...saying(993), max_tokens: 500 })).status).toBe(200);
  });

  test('its words do not get through the openai package, which expects another shape', async () => {
    const { sim } = await start({ windowTokens: 1000 });
    const client = new OpenAI({ baseURL: sim.url, apiKey: 'k', maxRetries: 0 });
    const error = await client.chat.completions
      .create({ model: 'm', messages: [{ role: 'user', content: 'word'.repeat(1000) }] })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect((error as Error).message).not.toContain('token count');
  });

  test('refuses a payload that is too large with 400', async () => {
    const { ask } = await start({ bodyBytes: 100_000 });
    const answer = await ask({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toBe('Request payload size exceeds the limit: 100000 bytes.');
  });

  test('takes no GIF, nothing undecodable, and not too many images', async () => {
    const { ask } = await start({ maxImages: 2 });
    const small = dataUrl(png(1, 1));
    expect(messageOf(await ask(showing(dataUrl(GIF, 'image/gif'))))).toBe('Unsupported MIME type: image/gif');
    expect(messageOf(await ask(showing(dataUrl(png(1, 1), 'image/jpg'))))).toBe(
      'Unsupported MIME type: image/jpg',
    );
    expect(messageOf(await ask(showing(dataUrl(png(9, 9).subarray(0, 50)))))).toContain(
      'Unable to process input image',
    );
    expect(messageOf(await ask(showing(small, small, small)))).toContain('only supports up to 2');
  });

  test('counts an image by its tiles', async () => {
    const { ask } = await start();
    const bare = promptTokensOf(await ask(showing()));
    const tokens = async (width: number, height: number) =>
      promptTokensOf(await ask(showing(dataUrl(png(width, height))))) - bare;
    expect(await tokens(384, 384)).toBe(258);
    expect(await tokens(385, 10)).toBe(258);
    expect(await tokens(1536, 769)).toBe(4 * 258);
  });
});
