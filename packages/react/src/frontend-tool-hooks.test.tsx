// @vitest-environment jsdom

import { createPlinth, type Plinth } from '@plinth/client';
import { act, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../client/testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../client/testing/fake-platform.js';
import { aFrontendInterrupt } from '../../client/testing/log-builder.js';
import { createManualTiming } from '../../client/testing/manual-timing.js';
import {
  type ArtifactHandle,
  PlinthProvider,
  useArtifact,
  useFrontendTool,
  useRunContext,
  useThread,
  useToolQuestions,
} from './index.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let platform: FakePlatform;
let plinth: Plinth;
let root: Root;
let box: HTMLElement;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  platform.startRun('thr_1', 'Edit it');
  plinth = createPlinth({ baseUrl: '', request: platform.request, ...createManualTiming() });
  box = document.createElement('div');
  root = createRoot(box);
});
afterEach(() => act(() => root.unmount()));

const draw = (node: ReactNode) =>
  act(() =>
    root.render(
      <StrictMode>
        <PlinthProvider plinth={plinth}>{node}</PlinthProvider>
      </StrictMode>,
    ),
  );
const until = (check: () => void) =>
  eventually(async () => {
    await act(async () => undefined);
    check();
  });
const answers = () => platform.bodies.filter(({ path }) => path.endsWith('/answer')).map(({ body }) => body);
const open = (id = 'int_1') =>
  platform.emit('msg_a1', { type: 'interrupt.opened', interrupt: aFrontendInterrupt({ id }) });

function Page({ says, permission = 'allow' }: { says: string; permission?: 'allow' | 'ask' }) {
  useThread('thr_1');
  useFrontendTool({ name: 'editor', permission, execute: () => says });
  return useToolQuestions('thr_1').map(({ interrupt, allow, deny }) => (
    <p key={interrupt.id}>
      {interrupt.title} {String(interrupt.arguments.file)}
      <button type="button" onClick={allow}>
        Allow
      </button>
      <button type="button" onClick={() => deny('no')}>
        Deny
      </button>
    </p>
  ));
}
function Editor({ onHandle }: { onHandle(handle: ArtifactHandle): void }) {
  const handle = useArtifact('art_1');
  onHandle(handle);
  return `${handle.content?.version} ${handle.conflict?.newest.version ?? ''}${handle.saving ? 'saving' : ''}`;
}
function Turns({ runId }: { runId: string }) {
  const { context, error, refresh } = useRunContext(runId);
  return (
    <button type="button" onClick={refresh}>
      {runId} {context?.turns.length} {error?.code}
    </button>
  );
}
const press = (name: string) =>
  act(async () =>
    [...box.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click(),
  );

describe('useFrontendTool', () => {
  it('in StrictMode answers once, with the function of the newest drawing; and no more when it is gone', async () => {
    draw(<Page says="first" />);
    draw(<Page says="newest" />);
    open();
    await until(() => expect(answers()).toMatchObject([{ answer: { value: 'newest' } }]));
    const session = plinth.thread('thr_1');
    const leave = session.subscribe(() => undefined);
    draw(null);
    open('int_2');
    await until(() => expect(session.getSnapshot().cursors).toEqual({ msg_a1: '1-2' }));
    expect(answers()).toHaveLength(1);
    leave();
  });

  it('asks where it has to, and does what the person says', async () => {
    draw(<Page says="done" permission="ask" />);
    open();
    await until(() => expect(box.textContent).toContain('Choose a style a.txt'));
    await press('Deny');
    await until(() => expect(box.textContent).toBe(''));
    open('int_2');
    await until(() => expect(box.textContent).toContain('a.txt'));
    await press('Allow');
    await until(() =>
      expect(answers()).toMatchObject([
        { answer: { type: 'decline', reason: 'no' } },
        { answer: { type: 'result', value: 'done' } },
      ]),
    );
  });
});

describe('useArtifact', () => {
  it('saves on the version that was changed, and shows the version that is in the way of it', async () => {
    platform.files.putArtifact({ kind: 'document' }, 'first');
    let handle: ArtifactHandle | null = null;
    draw(<Editor onHandle={(next) => (handle = next)} />);
    await until(() => expect(box.textContent).toBe('1 '));
    platform.files.putArtifact({ kind: 'document' }, 'of the model');
    await act(async () => expect(await handle?.save('mine', 1)).toBeNull());
    expect(box.textContent).toBe('1 2');
    await act(async () => expect(await handle?.save('of both', 2)).toMatchObject({ version: 3 }));
    await until(() => expect(box.textContent).toBe('3 '));
    platform.refuseNext('PUT', { status: 413, code: 'body_too_large' });
    await act(async () => expect(await handle?.save('too much', 3)).toBeNull());
    expect((handle as ArtifactHandle | null)?.saveError).toMatchObject({ code: 'body_too_large' });
  });
});

describe('useRunContext', () => {
  it('shows what a run was sent, again when it is asked to, and nothing of the run before', async () => {
    draw(<Turns runId="run_1" />);
    await until(() => expect(box.textContent).toBe('run_1 1 '));
    platform.startRun('thr_1', 'More');
    await press('run_1 1 ');
    await until(() => expect(box.textContent).toBe('run_1 2 '));
    const release = platform.hold('/context');
    draw(<Turns runId="run_2" />);
    expect(box.textContent).toBe('run_2  ');
    release();
    await until(() => expect(box.textContent).toBe('run_2 2 '));
  });

  it('tells that the page may not see it', async () => {
    // StrictMode reads twice; the first reading is given up.
    for (const _reading of [1, 2]) platform.refuseNext('/context', { status: 403, code: 'forbidden' });
    draw(<Turns runId="run_1" />);
    await until(() => expect(box.textContent).toBe('run_1  forbidden'));
  });
});
