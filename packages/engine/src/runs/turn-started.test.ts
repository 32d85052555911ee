import type { DeltaOutcome } from '@plinth/engine';
import { aServerTool, MemoryEventWriter, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

/** An engine whose log answers the first deltas like this; what was written is in `written`. */
function withOutcomes(...outcomes: DeltaOutcome[]) {
  const engine = startEngine({
    tools: [aServerTool('work')],
    model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
  });
  const writer = new MemoryEventWriter(engine.log, engine.ledger);
  const delta = writer.delta.bind(writer);
  const written: string[] = [];
  writer.delta = async (...parts) => {
    written.push((JSON.parse(parts[3]) as { type: string }).type);
    return outcomes.shift() ?? delta(...parts);
  };
  return { engine, written, worker: engine.worker({ writer }) };
}

describe('the event that a turn has started', () => {
  it('is written again when its log had lost entries', async () => {
    const { engine, written, worker } = withOutcomes('epoch_raised');
    const { runId } = await engine.start('go');
    await engine.work(worker);
    expect(written.slice(0, 3)).toEqual(['turn.started', 'turn.started', 'turn.started']);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
  });

  it('is let go when that goes on, and the turn is made', async () => {
    const { engine, written, worker } = withOutcomes('epoch_raised', 'epoch_raised', 'epoch_raised');
    const { runId } = await engine.start('go');
    await engine.work(worker);
    expect(written.slice(0, 4)).toEqual(Array(4).fill('turn.started'));
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
  });

  it('tells a worker that has lost the run: the model is not asked', async () => {
    const { engine, written, worker } = withOutcomes('fenced');
    const { runId } = await engine.start('go');
    await engine.work(worker);
    expect(written).toEqual(['turn.started']);
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.ended(runId)).toBe(false);
  });
});
