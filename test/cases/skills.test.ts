import type { JsonObject } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { playTwice } from './support/play-twice.js';
import { toolResults } from './support/results.js';
import { formTool } from './support/tools.js';

const loadSkill: JsonObject = { key: 'load_skill', executor: { kind: 'builtin', name: 'load_skill' } };
const content = 'Headlines have “five” words – 五个词.';
const skills = { wording: `---\ndescription: How posters are worded\n---\n${content}\n` };

onEveryTopology(
  'skills',
  () => [loadSkill, formTool('first')],
  (use) => {
    it('a loaded skill is what its agent was published with, and the next request is the same with the snapshot deleted', async () => {
      const current = use();
      const { plinth, script, requestBody } = current;
      script(
        {
          toolCalls: [
            { name: 'load_skill', arguments: { key: 'wording' } },
            { name: 'load_skill', arguments: { key: 'none' } },
          ],
        },
        { toolCalls: [{ name: 'first', arguments: { question: '?' } }] },
        { text: 'Done.' },
      );
      // Stored after the agent was published: nothing to its runs.
      await plinth.backend.call('PUT', '/v1/skills/wording', { description: 'Other', content: 'Other.' });
      const ada = await plinth.session();
      await playTwice(current, async (beforeAnswer) => {
        const run = await ada.start('a poster');
        const { id } = await ada.parkedOn(run.messageId, 'first');
        await beforeAnswer(run);
        await ada.answer(id, { type: 'submit', value: { value: 'x' } });
        await ada.ended(run.messageId);
        expect(requestBody(0).messages[0]?.content).toBe(
          'You are the agent of a test.\n\n# Skills\nInstructions for kinds of tasks. Before you begin one, load its skill with `load_skill` and follow it.\n- wording: How posters are worded',
        );
        const [loaded, unknown] = toolResults(requestBody(2));
        expect(JSON.parse(loaded?.content ?? '')).toEqual({
          result: { skill: 'wording', version: expect.any(Number), instructions: content },
        });
        expect(JSON.parse(unknown?.content ?? '')).toMatchObject({
          error: { code: 'unknown_skill', message: 'There is no skill "none". There are: wording.' },
        });
      });
    });
  },
  { skills },
);
