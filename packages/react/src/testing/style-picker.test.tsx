// @vitest-environment jsdom
import type { Plinth } from '@plinth/client';
import { type ComponentToolProps, useComponentSlot, useComponentTool, useInterrupts } from '@plinth/react';
import { createRecordedPlinth, RecordedPage } from '@plinth/react/testing';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import recording from './poster.recording.json' with { type: 'json' };

function StylePicker({ props, submit, status }: ComponentToolProps<{ styles: string[] }>) {
  return props.styles.map((style) => (
    <button key={style} type="button" disabled={status !== 'open'} onClick={() => submit({ style })}>
      {style}
    </button>
  ));
}

function Page() {
  useComponentTool('StylePicker', StylePicker);
  return useInterrupts('thr_1').map(
    (interrupt) => interrupt.kind === 'component' && <Slot key={interrupt.id} interrupt={interrupt} />,
  );
}

function Slot({ interrupt }: Pick<ComponentToolProps, 'interrupt'>) {
  const { Component, componentProps } = useComponentSlot('thr_1', interrupt);
  return Component && <Component {...componentProps} />;
}

it('the style that the person picks is the answer, also after a reload', async () => {
  const recorded = createRecordedPlinth(recording, { playedTo: 'run.interrupted' });
  const box = document.createElement('div');
  const root = createRoot(box);
  const draw = (plinth: Plinth) =>
    root.render(
      <RecordedPage recorded={recorded} plinth={plinth}>
        <Page />
      </RecordedPage>,
    );
  const buttons = () => [...box.querySelectorAll('button')];

  draw(recorded.plinth);
  await vi.waitFor(() => expect(buttons()).toHaveLength(2));
  draw(recorded.openPage());
  await vi.waitFor(() => expect(buttons()).toHaveLength(2));

  buttons()[0]?.click();
  await vi.waitFor(() =>
    expect(recorded.answers).toMatchObject([{ answer: { type: 'submit', value: { style: 'ink' } } }]),
  );
  await recorded.play();
  await vi.waitFor(() => expect(buttons()).toEqual([]));
});
