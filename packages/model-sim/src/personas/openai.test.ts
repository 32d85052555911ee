import { describe, expect, test } from 'vitest';
import { dataUrl, GIF, png, TIFF, WEBP } from '../images/sample-images.test-support.js';
import { messageOf, promptTokensOf, saying, showing, startPersona } from './personas.test-support.js';

const start = (walls = {}) => startPersona({ persona: 'openai', walls });

describe('the OpenAI persona', () => {
  test('counts the answer into the window, and says how much of a prompt the tools are', async () => {
    const { ask } = await start({ windowTokens: 1000 });
    const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }];
    const long = await ask({ ...saying(1000), tools });
    expect(long).toMatchObject({ status: 400 });
    expect(JSON.parse(long.text).error).toMatchObject({
      param: 'messages',
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 1000 tokens. However, your messages resulted in 1028 tokens (1007 in the messages, 21 in the functions). Please reduce the length of the messages or functions.",
    });
    expect(messageOf(await ask({ ...saying(900), max_completion_tokens: 200 }))).toBe(
      "This model's maximum context length is 1000 tokens. However, you requested 1107 tokens (907 in the messages, 200 in the completion). Please reduce the length of the messages or completion.",
    );
    expect((await ask({ ...saying(900), max_completion_tokens: 93 })).status).toBe(200);
  });

  test('refuses more images than the wall, and images heavier than theirs', async () => {
    const { ask } = await start({ maxImages: 2, imageBytes: 1024 * 1024 });
    const small = dataUrl(png(2, 2));
    expect(messageOf(await ask(showing(small, small, small)))).toBe('Too many images in request. Max is 2.');
    expect(messageOf(await ask(showing(dataUrl(png(2, 2, 1024 * 1024)))))).toBe(
      "You uploaded an unsupported image. Please make sure your image is below 1 MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    );
    expect((await ask(showing(small, small))).status).toBe(200);
  });

  test('refuses too much of images together, as they stand in the body', async () => {
    const { ask } = await start({ imagesTotalBytes: 1024 * 1024 });
    const images = [1, 2, 3, 4].map((n) => dataUrl(png(2, n, 200_000)));
    const answer = await ask(showing(...images));
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toBe('Total image size is 1.02MB, which exceeds the allowed limit of 1MB.');
    expect((await ask(showing(...images.slice(1)))).status).toBe(200);
  });

  test('refuses what is none of its formats, whatever it calls itself, and what it cannot decode', async () => {
    const { ask } = await start();
    const refused = async (url: string) => JSON.parse((await ask(showing(url))).text).error;
    for (const url of [dataUrl(TIFF, 'image/tiff'), dataUrl(Buffer.from('<svg/>'), 'image/svg+xml')])
      expect(await refused(url)).toMatchObject({ code: 'invalid_image_format' });
    for (const bytes of [TIFF, png(9, 9).subarray(0, 40), Buffer.alloc(0)])
      expect(await refused(dataUrl(bytes))).toMatchObject({
        message: 'You uploaded an unsupported image. Please make sure your image is valid.',
      });
    expect((await ask(showing(dataUrl(GIF, 'image/gif'), dataUrl(WEBP, 'image/webp')))).status).toBe(200);
  });

  test('counts an image by its tiles', async () => {
    const { ask } = await start();
    const bare = promptTokensOf(await ask(showing()));
    const tokens = async (width: number, height: number) =>
      promptTokensOf(await ask(showing(dataUrl(png(width, height))))) - bare;
    expect(await tokens(1024, 1024)).toBe(765);
    expect(await tokens(2048, 4096)).toBe(1105);
    expect(await tokens(100, 100)).toBe(255);
  });
});
