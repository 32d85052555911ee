import { expect, it } from 'vitest';
import { look } from './support/look.js';
import { ask, chinese } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const plain = (query = '') => `${inStudio().studio.pageUrl}plain${query}`;

it('ten lines of HTML have the chat, every call signed by the page, and a reload finds the conversation again', async () => {
  const { visitor } = inStudio();
  const { tab } = await visitor();
  const page = await tab(plain());
  const calls: { url: string; signed: boolean; credential: boolean }[] = [];
  page.on('request', async (request) => {
    if (!request.url().includes('/v1/')) return;
    const headers = request.headers();
    calls.push({
      url: request.url(),
      signed: headers['x-studio-signature'] !== undefined,
      credential: headers.authorization !== undefined,
    });
  });
  await ask(page, 'hello');
  await page
    .locator('plinth-chat')
    .getByText(/poster/i)
    .first()
    .waitFor({ timeout: 30_000 });
  await expect.poll(() => page.url(), { timeout: 30_000 }).toContain('thread=');
  expect(calls.some(({ url }) => url.includes('/events'))).toBe(true);
  expect(calls.filter(({ signed, credential }) => !signed || credential)).toEqual([]);
  await look(page, 'plain-light');
  await page.reload();
  await page.getByText('hello', { exact: true }).waitFor({ timeout: 30_000 });
});

it('the back end of the page refuses what is not signed, and what was signed for something else', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab(plain());
  const statuses = await page.evaluate(async () => {
    const seen: Record<string, string>[] = [];
    const chat = document.querySelector('plinth-chat') as unknown as {
      request(url: string, init: RequestInit): Promise<Response>;
    };
    const real = window.fetch;
    window.fetch = async (url, init) => {
      if (String(url).includes('/v1/')) seen.push(Object.fromEntries(new Headers(init?.headers)));
      return real(url, init);
    };
    const signed = await chat.request('/playground/api/plinth/v1/threads', { method: 'GET' });
    const headers = seen[0] ?? {};
    const unsigned = await real('/playground/api/plinth/v1/threads');
    const other = await real('/playground/api/plinth/v1/runs', { headers });
    return [signed.status, unsigned.status, other.status];
  });
  expect(statuses).toEqual([200, 403, 403]);
});

it('a component of the page is drawn in the chat and answers the agent', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab(plain());
  await page.evaluate(() => {
    type Props = {
      props: { styles: { id: string; title: string }[] };
      submit(value: unknown): void;
      status: string;
    };
    const { React } = (window as unknown as { Plinth: { React: typeof import('react') } }).Plinth;
    const takeFirst = ({ props, submit, status }: Props) =>
      React.createElement(
        'button',
        {
          type: 'button',
          disabled: status !== 'open',
          onClick: () => submit({ style: props.styles[0]?.id }),
        },
        `Take ${props.styles[0]?.title}`,
      );
    Object.assign(document.querySelector('plinth-chat') ?? {}, {
      components: { StylePicker: takeFirst },
    });
  });
  await ask(page, 'a poster for our autumn tea sale');
  const take = page.getByRole('button', { name: /^Take / });
  await take.click({ timeout: 30_000 });
  await expect.poll(() => take.isDisabled().catch(() => true), { timeout: 30_000 }).toBe(true);
});

it('theme and language are attributes, and may change while the chat is shown', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab(plain('?theme=dark&language=zh'));
  await page.setViewportSize({ width: 390, height: 780 });
  await ask(page, '你好', chinese);
  await expect.poll(() => page.url(), { timeout: 30_000 }).toContain('thread=');
  await page.locator('plinth-chat').getByText(/海报/).first().waitFor({ timeout: 30_000 });
  const background = () =>
    page.locator('plinth-chat').evaluate((chat) => getComputedStyle(chat).backgroundColor);
  expect(await background()).toBe('rgb(22, 23, 26)');
  await look(page, 'plain-dark-zh-narrow');
  await page.locator('plinth-chat').evaluate((chat) => {
    chat.setAttribute('theme', 'light');
    chat.setAttribute('language', 'en');
  });
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  expect(await background()).toBe('rgb(255, 255, 255)');
});
