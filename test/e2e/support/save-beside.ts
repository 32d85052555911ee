import type { MessageView, Page as PageOf, SessionTokenResponse, ThreadMessage } from '@plinth/protocol';
import { ApiClient } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Studio } from './start-studio.js';

/** The same person saves a document of the page's thread elsewhere, on its newest version. */
export async function saveBeside(page: Page, studio: Studio, title: string, body: string): Promise<void> {
  const { token } = await page.evaluate<SessionTokenResponse>(async () =>
    (await fetch('/playground/api/session', { method: 'POST' })).json(),
  );
  const visitor = new ApiClient(studio.server.url, token);
  const threadId = new URL(page.url()).searchParams.get('thread');
  const { items } = await visitor.call<PageOf<ThreadMessage>>('GET', `/v1/threads/${threadId}/messages`);
  const answer: MessageView = await visitor.ended(
    items.find(({ role }) => role === 'assistant')?.id ?? 'none',
  );
  const id = answer.artifacts.find((one) => one.title === title)?.id ?? 'none';
  const { version } = await visitor.call<{ version: number }>('GET', `/v1/artifacts/${id}`);
  const saved = await fetch(`${studio.server.url}/v1/artifacts/${id}/content`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'if-match': `"${version}"`,
      'content-type': 'text/markdown',
    },
    body,
  });
  expect(saved.status).toBe(200);
}
