import { emptyMessageView, foldEntries, type MessageLog } from '@plinth/client';
import type { MessageView, StreamEntry } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { logKey } from './support/redis-state.js';
import { formTool } from './support/tools.js';

const form = { name: 'form', arguments: { question: 'who?' } };
const GREETING = 'Hello. '.repeat(25).trim();
const FAREWELL = 'Hello again, 你好, and goodbye. '.repeat(8).trim();
const script = [{ text: GREETING, toolCalls: [form] }, { text: FAREWELL }];

type Started = { runId: string; messageId: string };

/** Text as a page joins it: piece behind piece, in the order in which they come. */
const joined = (entries: readonly StreamEntry[], turn: number) =>
  entries.map((entry) => (entry.type === 'text.delta' && entry.turn === turn ? entry.text : '')).join('');

/** What a client that read these entries shows. Fails at a piece of text that does not join what is there. */
function folded({ messageId, runId }: Started, parts: readonly (readonly StreamEntry[])[]): MessageView {
  const start: MessageLog = { view: emptyMessageView(messageId, runId), cursor: null };
  const { log, hole } = foldEntries(start, parts.flat());
  expect(hole).toBeNull();
  return log.view;
}

onEveryTopology(
  'event streams',
  () => [formTool('form')],
  (use) => {
    /** A reader whose connection is cut after every single entry, and that comes back twice for each. */
    async function readInPieces(reader: ApiClient, { messageId }: Started): Promise<StreamEntry[]> {
      const entries: StreamEntry[] = [];
      const isOver = () => entries.at(-1)?.type === 'run.finished';
      while (!isOver()) {
        const last = entries.at(-1);
        const options = { until: () => true, ...(last ? { after: last.seq } : {}) };
        const [lost, next] = [
          await reader.stream(messageId, options),
          await reader.stream(messageId, options),
        ];
        expect(next).toEqual(lost);
        expect(next).toHaveLength(1);
        expect(next[0]?.seq).not.toBe(last?.seq);
        entries.push(...next);
      }
      return entries;
    }

    async function answerWhenParked(who: ApiClient, run: Started): Promise<void> {
      const { id } = await who.parkedOn(run.messageId, 'form', 0, 60_000);
      await who.answer(id, { type: 'submit', value: { value: 'the world' } });
    }

    it('E12: readers that are cut after every event, and come back twice each time, join the text of the uncut one', async () => {
      const { plinth, script: play } = use();
      play(...script);
      plinth.sim.setLatency({ firstTokenMs: 20, perChunkMs: 15 });
      const ada = await plinth.session();
      const run = await ada.start('greet me');
      const [uncut, inPieces, beside] = await Promise.all([
        ada.stream(run.messageId),
        readInPieces(ada, run),
        readInPieces(await plinth.session(), run),
        answerWhenParked(ada, run),
      ]);
      for (const entries of [uncut, inPieces, beside]) {
        expect(joined(entries, 0)).toBe(GREETING);
        expect(joined(entries, 1)).toBe(FAREWELL);
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => `1-${index + 1}`));
      }
      expect(inPieces).toEqual(uncut);
      expect(beside).toEqual(uncut);
      expect(uncut.filter(({ type }) => type === 'text.delta').length).toBeGreaterThan(10);
      expect(folded(run, [inPieces])).toEqual(await ada.message(run.messageId));
    });

    /** Reads to the third piece of text and goes away. */
    async function leaveEarly(who: ApiClient, { messageId }: Started): Promise<StreamEntry[]> {
      let pieces = 0;
      return who.stream(messageId, { until: ({ type }) => type === 'text.delta' && ++pieces === 3 });
    }

    it.each(['trimmed', 'gone'])(
      'E13: a client that comes back to a log that was %s gets a gap and the state, and ends where the run does',
      async (how) => {
        const { plinth, script: play, redis, parked } = use();
        play(...script);
        plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: 10 });
        const ada = await plinth.session();
        const run = await ada.start('greet me');
        const before = await leaveEarly(ada, run);
        const cursor = before.at(-1)?.seq ?? '';
        await parked(run);
        const harm = async () => {
          const key = await logKey(redis, run.messageId);
          await (how === 'trimmed' ? redis.xtrim(key, 'MAXLEN', '=', 2) : redis.del(key));
        };
        await harm();

        let answered: Promise<void> | undefined;
        const onEntry = ({ type }: StreamEntry) => {
          if (type === 'snapshot') answered ??= answerWhenParked(ada, run);
        };
        const back = await ada.stream(run.messageId, { after: cursor, onEntry });
        await answered;
        const final = await ada.message(run.messageId);
        expect(back.slice(0, 2)).toMatchObject([
          { type: 'gap', from: cursor, seq: cursor },
          {
            type: 'snapshot',
            message: { status: 'interrupted', parts: [{ type: 'text', text: GREETING }, { type: 'tool' }] },
          },
        ]);
        expect(final).toMatchObject({ status: 'completed', interrupts: [{ state: 'answered' }] });
        expect(folded(run, [before, back])).toEqual(final);
        // A client that knows nothing ends there as well, and so does one that comes after the end.
        const late = await ada.stream(run.messageId);
        expect(folded(run, [late])).toEqual(final);
        await harm();
        const last = await ada.stream(run.messageId, { after: cursor });
        expect(last.map(({ type }) => type).slice(0, 2)).toEqual(['gap', 'snapshot']);
        expect(folded(run, [before, last])).toEqual(final);
      },
    );
  },
);
