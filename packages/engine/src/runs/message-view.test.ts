import { emptyMessageView, reduceMessage } from '@plinth/client';
import { messageView } from '@plinth/protocol';
import {
  aComponentTool,
  aRemoteTool,
  aServerTool,
  idle,
  startEngine,
  type TestEngine,
  untilAborted,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/model-gateway.js';

/** What a client has after reading the whole log. */
async function folded(engine: TestEngine, runId: string) {
  const { run } = await engine.record(runId);
  return (await engine.events(run.messageId)).reduce(reduceMessage, emptyMessageView(run.messageId, run.id));
}

async function expectOneView(engine: TestEngine, runId: string): Promise<void> {
  const view = await engine.view(runId);
  expect(messageView.parse(view)).toEqual(view);
  expect(await folded(engine, runId)).toEqual(view);
}

const FILE = {
  title: 'Poster',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'sha256/ab',
  sizeBytes: 3,
  sha256: 'ab',
} as const;
const call = (name: string, values = {}) => ({ name, arguments: values });

const TOOLS = [
  aComponentTool('form', { waitTimeoutSeconds: 60, props: { fixed: true } }),
  aServerTool('pay', { requireConfirmation: 'always' }),
  aServerTool('fail'),
  aRemoteTool('draw'),
];

function engine(model: Parameters<typeof startEngine>[0]['model']): TestEngine {
  const subject = startEngine({ tools: TOOLS, model });
  subject.tools.scripts.fail = () => ({
    kind: 'failed',
    error: { code: 'broken', message: 'It is broken.' },
  });
  return subject;
}

describe('the view from the ledger equals the folded events', () => {
  it('at every wait and at the end of a run with every kind of call', async () => {
    const subject = engine([
      {
        reasoning: 'Hm.',
        text: ['Let ', 'me see'],
        calls: [
          call('form', { a: 1 }),
          call('pay', { amount: 1 }),
          call('fail'),
          call('draw'),
          call('unheard_of'),
          call('form'),
        ],
      },
      { calls: [call('pay', { amount: 2 })] },
      { text: 'Done.' },
    ]);
    const { runId } = await subject.start('go');
    await subject.work();
    await expectOneView(subject, runId);
    const [form, pay, job] = await subject.waits(runId);
    await subject.answer(form?.id ?? '', { type: 'submit', value: { secret: 'not shown' } });
    await subject.work();
    await expectOneView(subject, runId);
    await subject.answer(pay?.id ?? '', { type: 'approve', arguments: { amount: 3 } });
    await subject.work();
    await expectOneView(subject, runId);
    await subject.callback(job?.id ?? '', 'A poster', [FILE, { ...FILE, title: 'Second' }]);
    await subject.work();
    await expectOneView(subject, runId);
    subject.clock.advance(60_000);
    await subject.sweep();
    await subject.work();
    await expectOneView(subject, runId);
    await subject.answer((await subject.wait(runId)).id, { type: 'decline', reason: 'no' });
    await subject.work();
    await expectOneView(subject, runId);
    expect(await subject.view(runId)).toMatchObject({ status: 'completed' });
  });

  it('after a cancel in the middle of an answer, of a thought, and of a wait', async () => {
    for (const line of [
      { text: 'Once', then: untilAborted },
      { reasoning: 'Hm', then: untilAborted },
      { text: 'See', calls: [call('form'), call('draw')] },
    ]) {
      const subject = engine([line]);
      const { runId } = await subject.start('go');
      const working = subject.work();
      await idle();
      await subject.cancel(runId);
      await working;
      await expectOneView(subject, runId);
    }
  });

  it('after a failure of the model with and without a new try', async () => {
    for (const error of [
      new ModelError('rejected', false, 'no'),
      new ModelError('throttled', true, 'later'),
    ]) {
      const subject = engine([{ reasoning: 'Hm', text: 'Hel', fails: error }]);
      const { runId } = await subject.start('go');
      const working = subject.work();
      for (const delayMs of [1_000, 2_000]) {
        await idle();
        subject.clock.advance(delayMs);
      }
      await working;
      await expectOneView(subject, runId);
    }
  });

  it('after the death of a worker that streamed, of one that resumed, and after a new message', async () => {
    const subject = engine((asked, attempt) => {
      if (asked.messages.length === 2) return { text: 'See', calls: [call('form')] };
      return attempt === 1
        ? { text: 'Hel', then: () => new Promise(() => {}) }
        : { text: 'Good', calls: [call('form')] };
    });
    const { runId, threadId } = await subject.start('go');
    await subject.work();
    await subject.answer((await subject.wait(runId)).id, { type: 'submit', value: 1 });
    const dying = subject.worker();
    const working = subject.work(dying);
    await idle();
    dying.life.kill();
    await working;
    await subject.afterLease();
    await subject.work();
    await expectOneView(subject, runId);
    await subject.start('never mind', { threadId });
    await expectOneView(subject, runId);
  });
});
