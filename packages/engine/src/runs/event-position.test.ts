import { aComponentTool, MemoryEventWriter, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const CALL = { name: 'form', arguments: {} };

describe('the recorded position of the event log', () => {
  it('never goes back to an epoch that another process has left, so that no number is used twice', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form')],
      model: [{ text: 'Hi', calls: [CALL, CALL, CALL] }, { text: 'ok' }],
    });
    const { runId, messageId } = await engine.start('go');
    await engine.work();
    const [first, second] = await engine.waits(runId);
    await engine.answer(first?.id ?? '', { type: 'submit', value: 1 });

    // While the worker is about to park again, the log is lost, and the door that takes an answer finds it out.
    const stream = { kind: 'message', id: (await engine.record(runId)).run.messageId } as const;
    const transact = engine.ledger.transact.bind(engine.ledger);
    let lost = false;
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, {
      transact: async (...parts: Parameters<typeof transact>) => {
        if (!lost) {
          lost = true;
          await engine.log.lose(engine.tenant, stream);
          await engine.answer(second?.id ?? '', { type: 'submit', value: 2 });
          expect((await engine.ledger.position(engine.tenant, stream)).epoch).toBe(2);
        }
        return transact(...parts);
      },
    });
    const writer = new MemoryEventWriter(engine.log, engine.ledger);
    await writer.delta(engine.tenant, stream, 2, '{"type":"turn.started"}');
    await engine.work(engine.worker({ ledger, writer }));

    expect(await engine.view(runId)).toMatchObject({ status: 'interrupted' });
    expect((await engine.ledger.position(engine.tenant, stream)).epoch).toBe(2);
    const seqs = (await engine.events(messageId)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => `2-${index + 1}`));
  });
});
