import { describe, expect, test } from 'vitest';
import { dataUrl, GIF, png, TIFF } from '../images/sample-images.test-support.js';
import { messageOf, promptTokensOf, saying, showing, startPersona } from './personas.test-support.js';

const start = (walls = {}) => startPersona({ persona: 'anthropic', walls });
const SOURCE = 'messages.0.content.1.image.source.base64';

describe('the Anthropic persona', () => {
  test('says how many tokens a prompt has and may have', async () => {
    const { ask } = await start();
    const answer = await ask(saying(213_455));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 213462 tokens > 200000 maximum',
      },
    });
    expect(messageOf(await ask({ ...saying(199_000), max_tokens: 2000 }))).toContain(
      '199007 + 2000 > 200000',
    );
  });

  test('refuses a body that is too large with 413, without keeping it', async () => {
    const { ask, sim } = await start({ bodyBytes: 100_000 });
    const answer = await ask({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text).error).toEqual({
      type: 'request_too_large',
      message: 'Request exceeds the maximum size',
    });
    expect(sim.requests[0]).toMatchObject({ raw: '', status: 413 });
  });

  test('weighs an image as base64', async () => {
    const { ask } = await start({ imageBytes: 1024 * 1024 });
    const heavy = png(2, 2, 790_000);
    expect(messageOf(await ask(showing(dataUrl(heavy))))).toBe(
      `${SOURCE}: image exceeds 1 MB maximum: ${heavy.toString('base64').length} bytes > 1048576 bytes`,
    );
    expect((await ask(showing(dataUrl(png(2, 2, 780_000))))).status).toBe(200);
  });

  test('takes 8000 pixels a side, and 2000 when there are more than 20 images', async () => {
    const { ask } = await start();
    const wide = dataUrl(png(2001, 1));
    const small = dataUrl(png(1, 1));
    expect(messageOf(await ask(showing(dataUrl(png(1, 8001)))))).toBe(
      `${SOURCE}.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
    );
    expect((await ask(showing(wide, ...Array<string>(19).fill(small)))).status).toBe(200);
    expect(messageOf(await ask(showing(wide, ...Array<string>(20).fill(small))))).toBe(
      `${SOURCE}.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`,
    );
  });

  test('takes 100 images', async () => {
    const { ask } = await start();
    const small = dataUrl(png(1, 1));
    expect((await ask(showing(...Array<string>(100).fill(small)))).status).toBe(200);
    expect(messageOf(await ask(showing(...Array<string>(101).fill(small))))).toBe(
      'too many images and documents: 101 + 0 > 100',
    );
  });

  test('refuses other formats, wrong labels, empty and undecodable images', async () => {
    const { ask } = await start();
    const refused = async (url: string) => messageOf(await ask(showing(url)));
    expect(await refused(dataUrl(TIFF, 'image/tiff'))).toBe(
      `${SOURCE}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
    expect(await refused(dataUrl(GIF, 'image/png'))).toBe(
      `${SOURCE}.data: Image does not match the provided media type image/png`,
    );
    expect(await refused(dataUrl(Buffer.alloc(0)))).toBe(`${SOURCE}: image cannot be empty`);
    expect(await refused(dataUrl(png(9, 9).subarray(0, 50)))).toBe('Could not process image');
  });

  test('counts an image by its patches, after it fits', async () => {
    const { ask } = await start();
    const bare = promptTokensOf(await ask(showing()));
    const tokens = async (width: number, height: number) =>
      promptTokensOf(await ask(showing(dataUrl(png(width, height))))) - bare;
    expect(await tokens(280, 29)).toBe(20);
    expect(await tokens(3136, 3136)).toBe(56 * 56);
  });
});
