import { aComponentTool, aRemoteTool, aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const TOOLS = [
  aServerTool('look_up'),
  aServerTool('pay', { requireConfirmation: 'always' }),
  aRemoteTool('draw'),
  aComponentTool('form'),
];

/** Arguments that a parser and a serialiser would not give back as they were. */
const ODD = '{"b": 1,  "2":"x","10":"y","a":"\\u00e9é\\ud83d\\ude00", "big":12345678901234567890,"e":1.0}';

function engine(): TestEngine {
  return startEngine({
    tools: TOOLS,
    model: [
      {
        text: 'Ab 😀',
        calls: [
          { name: 'look_up', arguments: ODD },
          { name: 'form', arguments: ODD },
        ],
      },
      {
        reasoning: 'Hm.',
        calls: [
          { name: 'form', arguments: { z: 1, 1: 2 } },
          { name: 'pay', arguments: ODD },
          { name: 'draw', arguments: {} },
        ],
      },
      {
        calls: [
          { name: 'form', arguments: '' },
          { name: 'form', arguments: '{"broken":' },
        ],
      },
      { text: 'ok' },
    ],
  });
}

type BeforeResume = (engine: TestEngine) => void;

/** Every wait is answered alone, so the run parks as often as it can. */
async function requestsOf(subject: TestEngine, beforeResume: BeforeResume): Promise<string[]> {
  const { runId } = await subject.start('a poster, 中文');
  await subject.work();
  while (!(await subject.ended(runId))) {
    beforeResume(subject);
    const wait = (await subject.waits(runId)).at(-1);
    if (!wait) throw new Error('nothing waits');
    if (wait.kind === 'callback') await subject.callback(wait.id, { '9': 1, a: [1.5, null] });
    else
      await subject.answer(
        wait.id,
        wait.kind === 'component'
          ? { type: 'submit', value: { b: 1, '3': 'é😀' } }
          : { type: 'approve', arguments: { q: 1, '1': 2 } },
      );
    await subject.work();
  }
  expect(await subject.brokenRules(runId)).toEqual([]);
  return subject.model.bodies;
}

describe('the next request after a wait', () => {
  it('is byte for byte the same with the snapshot present, deleted, or half lost', async () => {
    const present = engine();
    const kept = await requestsOf(present, () => {});
    expect(kept).toHaveLength(4);
    expect(new Set(present.observer.resumes)).toEqual(new Set(['snapshot']));

    const deleted = engine();
    expect(await requestsOf(deleted, ({ store }) => store.clear())).toEqual(kept);
    expect(new Set(deleted.observer.resumes)).toEqual(new Set(['rebuild']));

    let time = 0;
    const sometimes = engine();
    expect(
      await requestsOf(sometimes, ({ store }) => {
        time += 1;
        if (time % 2 === 0) store.clear();
      }),
    ).toEqual(kept);
    expect(new Set(sometimes.observer.resumes)).toEqual(new Set(['snapshot', 'rebuild']));
  });

  it('is the same when the snapshot is older than the ledger', async () => {
    const kept = await requestsOf(engine(), () => {});
    const stale = engine();
    const write = stale.store.write.bind(stale.store);
    let time = 0;
    stale.store.write = async (...parts) => {
      time += 1;
      return time % 3 === 1 ? write(...parts) : null;
    };
    expect(await requestsOf(stale, () => {})).toEqual(kept);
    expect(stale.observer.resumes).toContain('snapshot');
  });

  it('repeats what was sent before as its prefix', async () => {
    const bodies = await requestsOf(engine(), () => {});
    const messages = bodies.map((body) => body.slice(0, body.indexOf('],"tools":')));
    messages.slice(1).forEach((text, index) => {
      expect(text.startsWith(messages[index] ?? '')).toBe(true);
    });
  });

  it('a suspension writes to the snapshot what is new, not the history', async () => {
    const rounds = 20;
    const subject = startEngine({
      tools: [aComponentTool('form')],
      model: ({ messages }) => {
        const answered = messages.filter(({ role }) => role === 'tool').length;
        const noise = Array.from(
          { length: 300 },
          (_, index) => ((answered + 7) * (index + 13) * 2654435761) % 4294967296,
        ).join(' ');
        return answered < rounds
          ? { text: noise, calls: [{ name: 'form', arguments: { answered } }] }
          : { text: 'ok' };
      },
      config: { budgets: { maxTurns: 50 } },
    });
    const { runId } = await subject.start('go');
    await subject.work();
    while (!(await subject.ended(runId))) {
      await subject.answer((await subject.wait(runId)).id, { type: 'submit', value: 1 });
      await subject.work();
    }
    const sizes = subject.observer.writes.map(({ storedBytes }) => storedBytes);
    expect(sizes).toHaveLength(rounds);
    expect(Math.max(...sizes.slice(2))).toBeLessThan(1.3 * Math.min(...sizes.slice(2)));
  });
});
