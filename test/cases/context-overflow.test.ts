import { type ChatRequest, type FaultInjection, KNOWN_FAULTS } from '@plinth/model-sim';
import { type ApiClient, photo, picturesIn, startWith, textIn, uploadFile } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { playAgent } from './support/agent-requests.js';
import { onEveryTopology } from './support/on-plinth.js';

const OVERFLOWS = [
  ['a page with 413', 'payloadTooLarge'],
  ['too much of pictures', 'totalImageSize'],
  ['a prompt that is too long', 'promptTooLong'],
  ['a context length', 'contextLengthExceeded'],
  ['exhausted resources', 'resourceExhausted'],
] as const;

/** Requests of an agent; those for a summary are answered as ever. */
const ofAgent: FaultInjection['when'] = ({ messages }: ChatRequest) =>
  JSON.stringify(messages[0]).includes('You are the agent of a test.');

/** A conversation with pictures and long texts: something that can be left out. @returns its thread */
async function conversation(who: ApiClient): Promise<string> {
  let threadId: string | undefined;
  for (let turn = 0; turn < 3; turn += 1) {
    const { id: uploadId } = await uploadFile(who, photo(600_000, turn), `photo-${turn}.png`);
    const text = `Turn ${turn}. ${'It is about tea and its many kinds. '.repeat(200)}`;
    const run = await startWith(who, text, [{ uploadId }], threadId);
    threadId = run.threadId;
    expect(await who.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
  }
  return threadId ?? '';
}

onEveryTopology(
  'an endpoint that refuses what is too large',
  () => [],
  (use) => {
    it.each(OVERFLOWS)('C6: %s: the request is made smaller and sent once more', async (_name, fault) => {
      const { plinth } = use();
      playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const ada = await plinth.session();
      const threadId = await conversation(ada);

      const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      plinth.sim.injectFaults([{ when: ofAgent, fault: KNOWN_FAULTS[fault] }]);
      const replaced = () => plinth.metric('plinth_model_requests_replaced_total', { why: 'too_large' });
      const before = await replaced();
      const run = await ada.start('And now?', { threadId });
      expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      expect(await replaced()).toBe(before + 1);
      const [refused, answered, ...others] = watched.agent();
      expect(others).toEqual([]);
      expect(refused?.status).toBe(KNOWN_FAULTS[fault].status);
      expect(answered?.status).toBe(200);
      expect(answered?.sizeBytes).toBeLessThan(refused?.sizeBytes ?? 0);

      const next = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const after = await ada.start('And then?', { threadId });
      expect(await ada.ended(after.messageId, 60_000)).toMatchObject({ status: 'completed' });
      expect(next.agent().map(({ status }) => status)).toEqual([200]);
    });

    it.each(OVERFLOWS)(
      'C6: %s, twice: the run fails with a typed error that names sizes, and the thread goes on',
      async (_name, fault) => {
        const { plinth } = use();
        playAgent(plinth.sim, [{ text: 'Seen.' }]);
        const ada = await plinth.session();
        const threadId = await conversation(ada);

        const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
        plinth.sim.injectFaults([{ when: ofAgent, fault: KNOWN_FAULTS[fault], times: 2 }]);
        const run = await ada.start('And now?', { threadId });
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({
          status: 'failed',
          error: {
            code: 'context_overflow',
            message: expect.stringMatching(/[\d,]+ bytes, about [\d,]+ tokens and \d images/),
          },
        });
        expect(await ada.run(run.runId)).toMatchObject({ reason: 'context_unfit' });
        const digests = watched.agent().map(({ digest }) => digest);
        expect(digests).toHaveLength(2);
        expect(new Set(digests).size).toBe(2);

        const next = playAgent(plinth.sim, [{ text: 'Seen.' }]);
        const after = await ada.start('And then?', { threadId });
        expect(await ada.ended(after.messageId, 60_000)).toMatchObject({ status: 'completed' });
        expect(next.agent().map(({ status }) => status)).toEqual([200]);
      },
    );

    it.each([
      ['throttling that speaks of tokens', 'throttled'],
      ['a quota that is exhausted', 'quotaExhausted'],
    ] as const)('C6: %s is no overflow: nothing is left out', async (_name, fault) => {
      const { plinth } = use();
      playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const ada = await plinth.session();
      const threadId = await conversation(ada);

      const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      plinth.sim.injectFaults([{ when: ofAgent, fault: KNOWN_FAULTS[fault] }]);
      const run = await ada.start('And now?', { threadId });
      await ada.ended(run.messageId);
      const requests = watched.agent();
      expect(requests[0]?.status).toBe(429);
      expect(new Set(requests.map(({ digest }) => digest)).size).toBe(1);
      expect((await ada.run(run.runId)).reason).not.toBe('context_unfit');
    });

    it('C6: a picture that the endpoint rejects stays in no later request', async () => {
      const { plinth } = use();
      playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const ada = await plinth.session();
      const threadId = await conversation(ada);

      const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const shows = (name: string) => (request: ChatRequest) =>
        request.messages.some(
          ({ content }) =>
            Array.isArray(content) &&
            content.some((part, index) => {
              const before = content[index - 1];
              return part.type === 'image_url' && before?.type === 'text' && before.text.includes(name);
            }),
        );
      plinth.sim.injectFaults([
        { when: shows('bad.png'), fault: KNOWN_FAULTS.imageRejected, times: Number.POSITIVE_INFINITY },
      ]);
      const { id: uploadId } = await uploadFile(ada, photo(300_000, 9), 'bad.png');
      const run = await startWith(ada, 'What is this?', [{ uploadId }], threadId);
      expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      const after = await ada.start('And the others?', { threadId });
      expect(await ada.ended(after.messageId, 60_000)).toMatchObject({ status: 'completed' });

      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual([400, 200, 200]);
      expect(requests.map((request) => picturesIn(request).length)).toEqual([4, 3, 3]);
      expect(requests.at(-1)?.messages.map(textIn).join()).toContain('bad.png');
    });

    it.each([
      ['a gateway with a page', 'strict-gateway', { bodyBytes: 500_000 }],
      ['a gateway with JSON', 'strict-gateway-json', { bodyBytes: 500_000 }],
      ['OpenAI', 'openai', { imagesTotalBytes: 400_000 }],
      ['Anthropic', 'anthropic', { imageBytes: 150_000 }],
      ['Gemini', 'gemini', { bodyBytes: 500_000 }],
    ] as const)('C6: %s teaches its wall by refusing once', async (_name, persona, walls) => {
      const { plinth } = use();
      plinth.sim.setPersona(persona, { walls });
      const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const ada = await plinth.session();
      let threadId: string | undefined;
      for (let turn = 0; turn < 4; turn += 1) {
        const { id: uploadId } = await uploadFile(ada, photo(3_000_000, turn), `photo-${turn}.png`);
        const run = await startWith(ada, `Turn ${turn}`, [{ uploadId }], threadId);
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      }
      const statuses = watched.agent().map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    });
  },
);
