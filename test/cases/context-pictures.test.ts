import { photo, picturesIn, prefixShare, startWith, textIn, uploadFile } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { playAgent, withoutIds } from './support/agent-requests.js';
import { onEveryTopology } from './support/on-plinth.js';
import { playTwice } from './support/play-twice.js';
import { formTool, jobTool } from './support/tools.js';

const TURNS = 10;
const PICTURES = 6;
const PICTURE_BYTES = 8_000_000;
/** Far below what six pictures need at the size that the endpoint takes. */
const THRESHOLD_BYTES = 1_500_000;

onEveryTopology(
  'pictures heavier than a request may be',
  (jobs) => [jobTool('fetch', jobs, { result: { images: 'show' } }), formTool('first')],
  (use) => {
    it('C1: ten turns with six pictures of 8 MB: each body stays under the threshold, and all pictures are there', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('strict-gateway');
      const watched = playAgent(plinth.sim, [{ text: 'Seen.' }]);
      const ada = await plinth.session();
      let threadId: string | undefined;
      for (let turn = 0; turn < TURNS; turn += 1) {
        const attachments =
          turn < PICTURES
            ? [{ uploadId: (await uploadFile(ada, photo(PICTURE_BYTES, turn), `photo-${turn}.png`)).id }]
            : [];
        const run = await startWith(ada, `Turn ${turn}: what do you see?`, attachments, threadId);
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      }
      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual(Array<number>(TURNS).fill(200));
      for (const [turn, request] of requests.entries()) {
        const pictures = picturesIn(request);
        expect(request.sizeBytes).toBeLessThan(THRESHOLD_BYTES);
        expect(new Set(pictures.map(({ sha256 }) => sha256)).size).toBe(Math.min(turn + 1, PICTURES));
        expect(pictures).toHaveLength(Math.min(turn + 1, PICTURES));
        for (const { bytes } of pictures) expect(bytes.length).toBeLessThan(PICTURE_BYTES / 4);
      }
      // What was made smaller stays as it is: once no picture comes any more, nothing that was sent changes.
      const settled = requests.slice(PICTURES - 1);
      for (const [index, request] of settled.slice(1).entries())
        expect(prefixShare(settled[index] ?? request, request)).toBeGreaterThanOrEqual(0.95);
    });

    it('C5: the same picture in three messages and in a tool result is one payload', async () => {
      const current = use();
      const { plinth } = current;
      plinth.sim.setPersona('strict-gateway');
      const ada = await plinth.session();
      const picture = photo(900_000, 1);
      plinth.jobs.react = async (dispatch) => {
        const file = { name: 'again.png', base64: picture.toString('base64') };
        await plinth.jobs.finish(dispatch, {
          status: 'succeeded',
          result: { found: true },
          files: [file],
        });
        return { status: 202, body: { accepted: true } };
      };
      await playTwice(
        current,
        async (beforeAnswer) => {
          const before = playAgent(plinth.sim, [{ text: 'Seen.' }]);
          let threadId: string | undefined;
          for (const name of ['one.png', 'two.png', 'three.png']) {
            const { id: uploadId } = await uploadFile(ada, picture, name);
            const run = await startWith(ada, `What is ${name}?`, [{ uploadId }], threadId);
            threadId = run.threadId;
            expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
          }
          const firstThree = before.agent();
          const again = playAgent(plinth.sim, [
            { toolCalls: [{ name: 'fetch', arguments: { subject: 'it' } }] },
            { toolCalls: [{ name: 'first', arguments: { question: 'Is it the same?' } }] },
            { text: 'It is the same.' },
          ]);
          const run = await ada.start('Fetch it again.', { threadId: threadId ?? '' });
          const { id: formId } = await ada.parkedOn(run.messageId, 'first');
          await beforeAnswer(run);
          await ada.answer(formId, { type: 'submit', value: { value: 'yes' } });
          expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });

          const requests = [...firstThree, ...again.agent()];
          expect(requests).toHaveLength(6);
          for (const request of requests) expect(picturesIn(request)).toHaveLength(1);
          const last = requests.at(-1)?.messages.map(textIn).join('\n') ?? '';
          for (const name of ['one.png', 'two.png', 'three.png', 'again.png']) expect(last).toContain(name);
        },
        { same: withoutIds },
      );
    });
  },
  { config: { context: { bodyBytes: THRESHOLD_BYTES } } },
);
