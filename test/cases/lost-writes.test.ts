import { expect, it } from 'vitest';
import { longThread, overwritePast, rowBytes } from './support/long-thread.js';
import { onEveryTopology, PATIENT_MS } from './support/on-plinth.js';
import { type BeforeAnswer, playTwice } from './support/play-twice.js';
import { snapshotBytes, snapshotKeys } from './support/redis-state.js';
import { toolResults } from './support/results.js';
import { clockTool, formTool } from './support/tools.js';

const form = (question: string) => ({ name: 'form', arguments: { question } });
const submit = (value: string) => ({ type: 'submit', value: { value } }) as const;
const SUSPENSIONS = 20;
/** Stands, from the middle of E8 on, in every row that a resume has no need to read. */
const OVERWRITTEN = 'not to be read again';
const WRITE_DELAY_MS = 2000;

/** Replaces what the time of day gets into: the clock's result, and ids that the model made from all it had read. */
function withoutTime(body: string): string {
  const ids = [...new Set(body.match(/call_[0-9a-f]{24}/g))];
  const named = ids.reduce((text, id, index) => text.replaceAll(id, `<call ${index}>`), body);
  return named.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}
const isSnapshotWrite = (traffic: string) =>
  /eval(sha)?\r\n/i.test(traffic) && traffic.includes(':snapshot\r\n');

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

onEveryTopology(
  'a cache that is late, small, or lost',
  () => [clockTool, formTool('form')],
  (use, topology) => {
    it('E7: with snapshot writes 2 s late, a form behind a fast tool is in the context after the resume, and not asked again', async () => {
      const current = use();
      const { plinth, script, requestBody, parked, redis, redisProxy } = current;
      script(
        { toolCalls: [form('who?')] },
        { toolCalls: [{ name: 'current_time', arguments: {} }] },
        { toolCalls: [form('where?')] },
        { text: 'Done.' },
      );
      const ada = await plinth.session();
      /** Answers both forms. Returns the last request to the model. */
      const converse = async (beforeFirst: BeforeAnswer, beforeSecond: BeforeAnswer): Promise<string> => {
        current.countRequests();
        const run = await ada.start('ask me');
        const who = await ada.parkedOn(run.messageId, 'form');
        await beforeFirst(run);
        await ada.answer(who.id, submit('Ada'));
        const where = await ada.parkedOn(run.messageId, 'form');
        await beforeSecond(run);
        await ada.answer(where.id, submit('London'));
        expect((await ada.ended(run.messageId, 60_000)).interrupts).toMatchObject([
          { id: who.id },
          { id: where.id },
        ]);
        expect(toolResults(requestBody(3))).toEqual([
          { tool: 'form', content: '{"value":"Ada"}' },
          { tool: 'current_time', content: expect.stringContaining('"utc"') },
          { tool: 'form', content: '{"value":"London"}' },
        ]);
        expect(current.requestCount()).toBe(4);
        return withoutTime(JSON.stringify(requestBody(3)));
      };
      const undisturbed: string[] = [];
      const play = async (beforeAnswer: BeforeAnswer) =>
        void undisturbed.push(await converse(beforeAnswer, beforeAnswer));
      await playTwice(current, play, { same: withoutTime });

      const fields = async ({ runId }: { runId: string }) =>
        redis.hkeys((await snapshotKeys(redis, runId))[0] ?? '');
      let known: string[] = [];
      const writeLateFromNow: BeforeAnswer = async (run) => {
        await parked(run);
        known = await fields(run);
        redisProxy.delayMs = (traffic) => (isSnapshotWrite(traffic) ? WRITE_DELAY_MS : 0);
      };
      /** All workers die before the write leaves them: what resumes the run has an old snapshot, and the ledger. */
      const losingTheWrite: BeforeAnswer = async (run) => {
        await Promise.all(plinth.workers.map((worker) => worker.stop('SIGKILL')));
        redisProxy.delayMs = () => 0;
        await Promise.all(plinth.workers.map((worker) => worker.start()));
        expect(await fields(run)).toEqual(known);
      };
      /** The same, but what resumes the run has the ledger alone. */
      const losingAll: BeforeAnswer = async (run) => {
        await losingTheWrite(run);
        await current.dropSnapshot(run.runId);
      };
      /** The write arrives when the run has gone on already. */
      const notWaiting: BeforeAnswer = async (run) => expect(await fields(run)).toEqual(known);
      for (const beforeSecond of [losingTheWrite, losingAll, notWaiting]) {
        expect(await converse(writeLateFromNow, beforeSecond)).toBe(undisturbed[0]);
        redisProxy.delayMs = () => 0;
      }
    });

    it('E8: twenty suspensions on a thread of 400 messages each write the same, and a resume reads no more than the wait that ended', async () => {
      const { plinth, script, parked, adminUrl, redis, requestBody } = use();
      const questions = Array.from({ length: SUSPENSIONS }, (_, index) => `question ${index + 10}?`);
      const ada = await plinth.session();
      const threadId = await longThread(ada, adminUrl, 400, () =>
        script({ text: 'An answer of sixty characters. '.repeat(20) }),
      );
      script(...questions.map((question) => ({ toolCalls: [form(question)] })), { text: 'Done.' });
      const stored = () => plinth.metric('plinth_snapshot_stored_bytes_sum');
      const resumes = (source: string) => plinth.metric('plinth_resume_total', { source });
      const resumedBefore = { snapshot: await resumes('snapshot'), rebuild: await resumes('rebuild') };
      let before = { redis: await stored(), postgres: 0 };
      const run = await ada.start('ask me twenty things', { threadId });
      const written: { redis: number; postgres: number }[] = [];
      /** What the next resume reads from Redis. */
      const toRead: number[] = [];
      for (const [index, question] of questions.entries()) {
        const wait = await ada.parkedOn(run.messageId, 'form', 0, 60_000);
        expect(wait).toMatchObject({ props: { question } });
        await parked(run);
        const now = { redis: await stored(), postgres: await rowBytes(adminUrl, run.runId) };
        written.push({ redis: now.redis - before.redis, postgres: now.postgres - before.postgres });
        toRead.push(await snapshotBytes(redis, run.runId));
        before = now;
        if (index === SUSPENSIONS / 2) {
          await overwritePast(adminUrl, run, OVERWRITTEN);
          before.postgres = await rowBytes(adminUrl, run.runId);
        }
        await ada.answer(wait.id, submit(`answer to ${question}`));
      }
      expect((await ada.ended(run.messageId)).reason).toBe('final_answer');

      for (const store of ['redis', 'postgres'] as const) {
        const bytes = written.map((one) => one[store]);
        console.log(`E8 (${topology}): bytes a suspension in ${store}: ${bytes.join(' ')}`);
        const later = bytes.slice(1);
        expect(Math.max(...later), store).toBeLessThan(1.5 * median(later));
        expect(later.at(-1), store).toBeLessThan(1.5 * median(later));
      }
      // The first one also wrote the conversation before the run. No later one did so again.
      const [first = 0, ...later] = written.map(({ redis }) => redis);
      expect(median(later)).toBeLessThan(first / 10);
      console.log(`E8 (${topology}): bytes in Redis that a resume reads: ${toRead.join(' ')}`);
      const growth = toRead.slice(1).map((bytes, index) => bytes - (toRead[index] ?? 0));
      expect(Math.max(...growth)).toBeLessThan(1.5 * median(growth));
      // Of the ledger a resume reads what its snapshot could not know: the turn that waited, and no other.
      expect(await resumes('snapshot')).toBe(resumedBefore.snapshot + SUSPENSIONS);
      expect(await resumes('rebuild')).toBe(resumedBefore.rebuild);
      const last = JSON.stringify(requestBody(SUSPENSIONS));
      expect(last).not.toContain(OVERWRITTEN);
      for (const question of questions) expect(last).toContain(`answer to ${question}`);
    });

    it(
      'E15: when Redis is flushed while many runs are parked, all resume, and the counter of rebuilds says how many',
      async () => {
        const { plinth, script, parked, redis } = use();
        script({ toolCalls: [form('who?')] }, { text: 'Done.' });
        const ada = await plinth.session();
        const count = 100;
        const runs: { runId: string; messageId: string }[] = [];
        const inTens = async (each: (index: number) => Promise<void>) => {
          for (let from = 0; from < count; from += 10)
            await Promise.all(Array.from({ length: 10 }, (_, index) => each(from + index)));
        };
        await inTens(async (index) => {
          runs[index] = await ada.start(`ask ${index}`);
        });
        for (const run of runs) await parked(run);

        const before = await plinth.metric('plinth_resume_total');
        const rebuilds = await plinth.metric('plinth_resume_total', { source: 'rebuild' });
        await redis.flushdb();
        await inTens(async (index) => {
          const run = runs[index];
          if (!run) throw new Error(`run ${index} was not started`);
          const { id } = await ada.parkedOn(run.messageId, 'form');
          await ada.answer(id, submit(`person ${index}`));
        });
        const views = [];
        for (const { messageId } of runs) views.push(await ada.ended(messageId, 60_000));
        expect(views.map(({ reason }) => reason)).toEqual(
          Array.from({ length: count }, () => 'final_answer'),
        );
        expect((await plinth.metric('plinth_resume_total', { source: 'rebuild' })) - rebuilds).toBe(count);
        expect((await plinth.metric('plinth_resume_total')) - before).toBe(count);
        const last = runs.at(-1)?.messageId ?? '';
        expect((await ada.stream(last, { after: '1-2' })).map(({ type }) => type).slice(0, 2)).toEqual([
          'gap',
          'snapshot',
        ]);
      },
      2 * PATIENT_MS,
    );
  },
  { throughRedisProxy: true },
);
