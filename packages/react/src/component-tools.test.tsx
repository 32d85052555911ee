// @vitest-environment jsdom

import { createPlinth, type Plinth } from '@plinth/client';
import { act, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../client/testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../client/testing/fake-platform.js';
import { AT, aComponentInterrupt, anArtifact } from '../../client/testing/log-builder.js';
import {
  type ArtifactContentHandle,
  type ComponentToolProps,
  PlinthProvider,
  useArtifactContent,
  useComponentSlot,
  useComponentTool,
  useComponentTools,
  useMessages,
} from './index.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let platform: FakePlatform;
let plinth: Plinth;
let root: Root;
let box: HTMLElement;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  const { messageId } = platform.startRun('thr_1', 'A poster');
  platform.emit(messageId, { type: 'interrupt.opened', interrupt: aComponentInterrupt() });
  plinth = createPlinth({ baseUrl: '', request: platform.request });
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
/** Lets React finish what it has to draw, until the check holds. */
const until = (check: () => void) =>
  eventually(async () => {
    await act(async () => undefined);
    check();
  });
const shows = (text: string) => until(() => expect(box.textContent).toBe(text));

let last: ComponentToolProps<{ styles: string[] }, { style: string }> | null = null;
function StylePicker(props: ComponentToolProps<{ styles: string[] }, { style: string }>) {
  last = props;
  return `${props.props.styles} ${props.status}${props.errors.map((error) => ` ${error.path}: ${error.message}`)}`;
}

function Slot() {
  const message = useMessages('thr_1')[1];
  const interrupt = message?.role === 'assistant' ? message.view.interrupts[0] : undefined;
  return interrupt?.kind === 'component' ? <KnownSlot interrupt={interrupt} /> : null;
}
function KnownSlot({ interrupt }: Pick<ComponentToolProps, 'interrupt'>) {
  const { Component, componentProps } = useComponentSlot('thr_1', interrupt);
  return Component ? <Component {...componentProps} /> : `no component ${interrupt.component}`;
}
function Register() {
  useComponentTool('StylePicker', StylePicker);
  return null;
}

const Other = () => 'other';
function RegisterOther() {
  useComponentTool('StylePicker', Other);
  return null;
}
const Names = () => `${Object.values(useComponentTools()).map((component) => component.name)}`;

type UrlProps = { id: string | null; onHandle(id: string | null, handle: ArtifactContentHandle): void };
function Url({ id, onHandle }: UrlProps) {
  const handle = useArtifactContent(id);
  onHandle(id, handle);
  return handle.content?.contentUrl ?? 'nothing';
}
const Code = () => useArtifactContent('art_9').error?.code ?? '';

describe('a component tool', () => {
  it('draws the component of the host with its props, and is answered once by two submissions', async () => {
    draw([<Register key="r" />, <Slot key="s" />]);
    await shows('ink,bold open');
    const release = platform.hold('answer');
    act(() => {
      last?.submit({ style: 'ink' });
      last?.submit({ style: 'ink' });
    });
    await shows('ink,bold sending');
    release();
    await shows('ink,bold answered');
    expect(platform.bodies.map(({ body }) => body)).toMatchObject([
      { answer: { type: 'submit', value: { style: 'ink' } } },
    ]);
  });

  it('shows which fields to correct and can be submitted again', async () => {
    draw([<Register key="r" />, <Slot key="s" />]);
    await shows('ink,bold open');
    platform.refuseNext('answer', {
      status: 422,
      code: 'answer_invalid',
      errors: [{ path: '/style', message: 'choose one' }],
    });
    act(() => last?.submit({ style: '' }));
    await shows('ink,bold open /style: choose one');
    act(() => last?.decline('changed my mind'));
    await shows('ink,bold answered');
    expect(platform.bodies[1]?.body).toMatchObject({
      answer: { type: 'decline', reason: 'changed my mind' },
    });
  });

  it('that somebody else has answered is shown as answered', async () => {
    draw([<Register key="r" />, <Slot key="s" />]);
    await shows('ink,bold open');
    platform.refuseNext('answer', {
      status: 409,
      code: 'interrupt_already_answered',
      facts: { by: { kind: 'end_user', id: 'ada' }, answeredAt: AT },
    });
    act(() => last?.submit({ style: 'ink' }));
    await shows('ink,bold answered');
    expect(last?.interrupt.answeredBy).toEqual({ kind: 'end_user', id: 'ada' });
  });

  it('has no component until one is registered, and none after its owner is gone', async () => {
    draw(<Slot key="s" />);
    await shows('no component StylePicker');
    draw([<Slot key="s" />, <Register key="r" />]);
    await shows('ink,bold open');
    draw(<Slot key="s" />);
    await shows('no component StylePicker');
  });

  it('the newest registration of a name wins, and the one before comes back after it', async () => {
    draw([<Register key="r" />, <RegisterOther key="o" />, <Names key="n" />]);
    await shows('Other');
    draw([<Register key="r" />, <Names key="n" />]);
    await shows('StylePicker');
  });
});

describe('useArtifactContent', () => {
  it('never shows the content of the artifact before, and renews on demand', async () => {
    const request = vi.fn(
      async (url: string) =>
        new Response(
          JSON.stringify({ ...anArtifact(), contentUrl: `https://files${url}?${request.mock.calls.length}` }),
        ),
    );
    plinth = createPlinth({ baseUrl: '', request });
    const seen: string[] = [];
    let renew: () => void = () => undefined;
    const onHandle = (id: string | null, handle: ArtifactContentHandle) => {
      renew = handle.renew;
      if (handle.content) seen.push(`${id} shows ${/art_\d/.exec(handle.content.contentUrl)}`);
    };
    draw(<Url id={null} onHandle={onHandle} />);
    await shows('nothing');
    draw(<Url id="art_1" onHandle={onHandle} />);
    await until(() => expect(box.textContent).toContain('art_1'));
    draw(<Url id="art_2" onHandle={onHandle} />);
    await until(() => expect(box.textContent).toContain('art_2'));
    expect(new Set(seen)).toEqual(new Set(['art_1 shows art_1', 'art_2 shows art_2']));
    const before = box.textContent;
    act(renew);
    await until(() => expect(box.textContent).not.toBe(before));
  });

  it('tells why a content cannot be read', async () => {
    draw(<Code />);
    await shows('not_found');
  });
});
