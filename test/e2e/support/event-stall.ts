import type { BrowserContext, Page } from 'playwright-core';

/**
 * Holds the events of messages back behind the first one that has this text: the page's own `fetch` is what is slow, and
 * everything else of it goes on.
 */
export async function stallEvents(context: BrowserContext, mark: string): Promise<void> {
  await context.addInitScript((text) => {
    let letGo = () => {};
    const mayGoOn = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const held = { frames: 0 };
    Object.assign(window, { letEventsGo: letGo, heldEvents: held });

    function slow(): TransformStream<Uint8Array, Uint8Array> {
      const decoder = new TextDecoder();
      const encoder = new TextEncoder();
      let rest = '';
      let isStalled = false;
      return new TransformStream<Uint8Array, Uint8Array>(
        {
          async transform(chunk, controller) {
            const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
            rest = frames.pop() ?? '';
            for (const frame of frames) {
              if (isStalled) {
                held.frames += 1;
                await mayGoOn;
              }
              controller.enqueue(encoder.encode(`${frame}\n\n`));
              isStalled ||= frame.includes(text);
            }
          },
        },
        new CountQueuingStrategy({ highWaterMark: 100 }),
      );
    }

    const real = window.fetch;
    window.fetch = async (input, init) => {
      const response = await real(input, init);
      const isFeed = /\/v1\/messages\/[^/]+\/events/.test(String(input));
      if (!isFeed || response.body === null) return response;
      const { status, headers } = response;
      return new Response(response.body.pipeThrough(slow()), { status, headers });
    };
  }, mark);
}

/** How many events the page has not got to read, though they have come. */
export const heldEvents = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { heldEvents: { frames: number } }).heldEvents.frames);

/** From now on the page reads its events as they come. */
export const letEventsGo = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { letEventsGo(): void }).letEventsGo());
