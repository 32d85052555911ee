import type { ToolMessage } from '@ag-ui/core';
import { aFrontendTool, startEngine } from '@plinth/testkit';
import { expect, it } from 'vitest';
import { AguiAnswers } from './agui-answers.js';

async function waiting() {
  const engine = startEngine({
    tools: [aFrontendTool('edit')],
    model: [{ calls: [{ name: 'edit', arguments: { a: 1 } }] }, { text: 'Edited.' }],
  });
  const { runId } = await engine.start('edit it');
  await engine.work();
  const [interrupt] = await engine.waits(runId);
  if (interrupt === undefined) throw new Error('nothing waits');
  const who = {
    tenant: engine.tenant,
    viewer: { endUserId: engine.user },
    by: { kind: 'end_user', id: engine.user },
  } as const;
  const answers = new AguiAnswers(engine.door);
  // As each of several requests has read the run before any of them answered.
  const bring = (content: string) => {
    const message: ToolMessage = { id: 'm', role: 'tool', toolCallId: interrupt.callId, content };
    return answers.result(who, interrupt as never, message);
  };
  return { bring, engine, runId };
}

it('the same result that is sent at once is taken once, and nobody is refused', async () => {
  const { bring, engine, runId } = await waiting();
  await bring('done');
  await bring('done');
  await engine.work();
  expect(await engine.ended(runId)).toBeTruthy();
});

it('another result for a call that has its result is refused', async () => {
  const { bring } = await waiting();
  await bring('done');
  await expect(bring('undone')).rejects.toMatchObject({ code: 'interrupt_already_answered' });
});
