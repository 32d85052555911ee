import type { InterruptId } from '@plinth/protocol';
import { aComponentTool, aRemoteTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { reportProgress } from './report-progress.js';

async function jobUnderWay() {
  const tools = [aRemoteTool('job'), aComponentTool('form')];
  const calls = tools.map(({ key }) => ({ name: key, arguments: {} }));
  const engine = startEngine({ tools, model: [{ calls }, { text: 'ok' }] });
  const { runId, messageId } = await engine.start('go');
  await engine.work();
  const [job, form] = await engine.waits(runId);
  const report = (id: string, progress: number) =>
    reportProgress(engine.door, engine.tenant, id as InterruptId, { progress });
  return { engine, runId, messageId, job: job?.id ?? '', form: form?.id ?? '', report };
}

describe('the progress of a remote job', () => {
  it('is shown while its callback is awaited, and changes nothing of the run', async () => {
    const { engine, runId, messageId, job, report } = await jobUnderWay();
    const before = await engine.record(runId);
    await report(job, 0.5);
    expect((await engine.events(messageId)).at(-1)).toMatchObject({
      type: 'tool.progress',
      callId: before.calls[0]?.id,
      progress: 0.5,
      message: null,
    });
    expect(await engine.record(runId)).toEqual(before);
  });

  it('is shown although another worker has taken the run over meanwhile', async () => {
    const { engine, messageId, job, form, report } = await jobUnderWay();
    await engine.answer(form, { type: 'submit', value: 1 });
    await engine.work();
    await report(job, 0.7);
    expect((await engine.events(messageId)).at(-1)).toMatchObject({ type: 'tool.progress', progress: 0.7 });
  });

  it('is refused when nobody waits for the job any more', async () => {
    const { engine, job, report } = await jobUnderWay();
    await engine.callback(job);
    await expect(report(job, 0.9)).rejects.toMatchObject({ code: 'interrupt_closed' });
    await expect(report('int_9999', 0.9)).rejects.toMatchObject({ code: 'not_found' });
  });
});
