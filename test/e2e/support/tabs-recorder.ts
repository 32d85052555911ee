import type { Page } from 'playwright-core';
import sharp from 'sharp';

const GAP_PX = 12;
const TITLE_PX = 40;
const BACKGROUND = '#3a3a3c';
/** Milliseconds. What a machine that is busy takes between two pictures is not what a person should wait for. */
const LONGEST_STEP_MS = 250;
const FIRST_MS = 1_500;
const LAST_MS = 5_000;

type Moment = { at: number; pictures: Buffer[] };

/** Pictures of several tabs, taken at the same moments, as one film of them side by side. */
export class TabsRecorder {
  readonly #moments: Moment[] = [];
  #isOn = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(private readonly tabs: readonly { title: string; page: Page }[]) {}

  start(): void {
    this.#loop = this.#record();
  }

  /** Ends it and writes the film, an animated WebP. */
  async save(path: string): Promise<void> {
    this.#isOn = false;
    await this.#loop;
    await this.#take();
    const moments = this.#moments.filter(
      ({ pictures }, index) =>
        index === 0 ||
        !pictures.every((picture, tab) => this.#moments[index - 1]?.pictures[tab]?.equals(picture)),
    );
    const delay = moments.map(({ at }, index) =>
      Math.round(Math.min(LONGEST_STEP_MS, (moments[index + 1]?.at ?? at + LAST_MS) - at)),
    );
    delay[0] = FIRST_MS;
    delay[delay.length - 1] = LAST_MS;
    const frames = await Promise.all(moments.map((moment) => this.#frame(moment)));
    await sharp(frames, { join: { animated: true } })
      .webp({ quality: 85, effort: 5, minSize: true, loop: 0, delay })
      .toFile(path);
  }

  async #record(): Promise<void> {
    while (this.#isOn) await this.#take();
  }

  async #take(): Promise<void> {
    const at = performance.now();
    const pictures = await Promise.all(this.tabs.map(({ page }) => page.screenshot()));
    this.#moments.push({ at, pictures });
  }

  async #frame({ pictures }: Moment): Promise<Buffer> {
    const { width, height } = this.tabs[0]?.page.viewportSize() ?? { width: 0, height: 0 };
    const left = (tab: number) => GAP_PX + tab * (width + GAP_PX);
    const whole = {
      width: left(pictures.length),
      height: TITLE_PX + height + GAP_PX,
      channels: 3 as const,
      background: BACKGROUND,
    };
    const titles = this.tabs.map(
      ({ title }, tab) =>
        `<rect x="${left(tab)}" y="10" width="150" height="${TITLE_PX}" rx="8" fill="#fdfcf8"/>
         <text x="${left(tab) + 16}" y="31" font-family="sans-serif" font-size="15" fill="#222">${title}</text>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${whole.width}" height="${TITLE_PX}">${titles.join('')}</svg>`;
    return sharp({ create: whole })
      .composite([
        { input: Buffer.from(svg), left: 0, top: 0 },
        ...pictures.map((input, tab) => ({ input, left: left(tab), top: TITLE_PX })),
      ])
      .png()
      .toBuffer();
  }
}

/** Draws where the mouse is and when it is pressed: a picture of a page has no pointer. */
export const showPointer = (page: Page) =>
  page.addInitScript(() => {
    const pointer = document.createElement('div');
    pointer.innerHTML =
      '<svg width="22" height="26" viewBox="0 0 22 26"><path d="M2 2v19l5-5 3.5 8 3.5-1.5-3.5-7.5H18z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>';
    pointer.style.cssText =
      'position: fixed; z-index: 9999; left: -40px; top: -40px; pointer-events: none; border-radius: 50%; height: 26px';
    addEventListener('DOMContentLoaded', () => document.body.append(pointer));
    addEventListener('mousemove', ({ clientX, clientY }) => {
      pointer.style.left = `${clientX}px`;
      pointer.style.top = `${clientY}px`;
    });
    const press = (shadow: string) => () => {
      pointer.style.boxShadow = shadow;
    };
    addEventListener('mousedown', press('0 0 0 14px rgb(200 60 30 / 40%)'), true);
    addEventListener('mouseup', press('none'), true);
  });
