import { aComponentTool, aRemoteTool, aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const call = (name: string) => ({ name, arguments: {} });

/** Calls `look` whenever one of these methods is called, before it does anything. */
function before<Port extends object>(
  port: Port,
  name: keyof Port,
  look: (...parts: never[]) => Promise<void> | void,
): void {
  const method = port[name] as (...parts: unknown[]) => unknown;
  Object.assign(port, {
    [name]: async (...parts: unknown[]) => {
      await look(...(parts as never[]));
      return method.apply(port, parts);
    },
  });
}

function fastToolAndForm(): TestEngine {
  return startEngine({
    tools: [aServerTool('fast'), aRemoteTool('job'), aComponentTool('form')],
    model: [{ text: 'Hi', calls: [call('fast'), call('job')] }, { calls: [call('form')] }, { text: 'ok' }],
  });
}

describe('the order of writes', () => {
  it('a tool starts when its call and its receipt are in the ledger, and a job when its callback can be kept', async () => {
    const engine = fastToolAndForm();
    const { runId } = await engine.start('go');
    const seen: unknown[] = [];
    before(engine.tools, 'execute', async () => {
      const { turns, calls, interrupts } = await engine.record(runId);
      seen.push([turns.length, calls.map(({ status }) => status), interrupts.map(({ state }) => state)]);
    });
    await engine.work();
    expect(seen).toEqual([
      [1, ['started', 'started'], ['open']],
      [1, ['started', 'started'], ['open']],
    ]);
  });

  it('the ledger knows of a wait before the snapshot does, and the snapshot before any reader', async () => {
    const engine = fastToolAndForm();
    const { runId, messageId } = await engine.start('go');
    const order: string[] = [];
    before(engine.store, 'write', async () => {
      const { run, interrupts } = await engine.record(runId);
      const announced = (await engine.events(messageId)).filter(
        ({ type }) => type === 'interrupt.opened',
      ).length;
      order.push(`snapshot: ${run.status}, ${interrupts.length} in the ledger, ${announced} announced`);
    });
    await engine.work();
    await engine.callback((await engine.wait(runId)).id);
    await engine.work();
    expect(order).toEqual([
      'snapshot: running, 1 in the ledger, 0 announced',
      'snapshot: interrupted, 1 in the ledger, 1 announced',
      'snapshot: interrupted, 2 in the ledger, 1 announced',
    ]);
  });

  it('a fast tool and a form right after it, with every write beside the ledger lost: the model is not asked to ask again', async () => {
    const engine = fastToolAndForm();
    before(engine.store, 'write', () => {
      throw new Error('the snapshot is not in time');
    });
    const { runId } = await engine.start('go');
    await engine.work();
    await engine.callback((await engine.wait(runId)).id);
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 'once' });
    await engine.work();
    expect(engine.model.asked).toHaveLength(3);
    expect(engine.model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      interrupts: [{}, { kind: 'component' }],
    });
  });

  it('times to live follow the configuration as it is at the write', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form')],
      model: [{ calls: [call('form')] }, { calls: [call('form')] }, { text: 'ok' }],
    });
    const ttls: string[] = [];
    before(
      engine.store,
      'write',
      (_tenant, _run, { ttlSeconds }: { ttlSeconds: number }) => void ttls.push(`write ${ttlSeconds}`),
    );
    before(engine.store, 'keepFor', (_tenant, _run, ttlSeconds) => void ttls.push(`keep ${ttlSeconds}`));
    before(
      engine.log,
      'keepFor',
      ((_tenant: unknown, _stream: unknown, ttlSeconds: number) =>
        void ttls.push(`events ${ttlSeconds}`)) as never,
    );
    const { runId } = await engine.start('go');
    await engine.work();
    engine.config = {
      ...engine.config,
      ttl: {
        ...engine.config.ttl,
        activeSnapshotSeconds: 77,
        endedSnapshotSeconds: 88,
        endedEventsSeconds: 99,
      },
    };
    for (let time = 0; time < 2; time += 1) {
      await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
      await engine.work();
    }
    expect(ttls).toEqual(['write 86400', 'write 77', 'keep 88', 'events 99']);
  });
});
