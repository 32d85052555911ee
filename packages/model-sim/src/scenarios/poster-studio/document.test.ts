import { expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../api/chat-request.js';
import { Conversation } from '../../conversation/conversation.js';
import type { Reply } from '../../replies/reply.js';
import { posterStudio } from './poster-studio.js';

const POSTER = ['choose_style', 'poster_details', 'generate_poster'];
const DOCUMENT = ['write_document', 'edit_document', 'get_artifact'];
const offered = (names: string[]): ChatRequest['tools'] =>
  names.map((name) => ({ type: 'function', function: { name } }));
const user = (content: string): ChatMessage => ({ role: 'user', content });

/** A conversation as it goes on: what the person says, and what each call of the model comes to. */
class Talk {
  readonly #messages: ChatMessage[] = [];
  #calls = 0;

  constructor(readonly tools = [...POSTER, ...DOCUMENT]) {}

  says(text: string): Reply {
    this.#messages.push(user(text));
    return this.#reply();
  }

  gets(reply: Reply, result: unknown): Reply {
    const [call] = reply.toolCalls ?? [];
    const id = `c${++this.#calls}`;
    const asked = { name: call?.name ?? '', arguments: JSON.stringify(call?.arguments) };
    this.#messages.push(
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: asked }] },
      { role: 'tool', tool_call_id: id, content: JSON.stringify(result) },
    );
    return this.#reply();
  }

  #reply = (): Reply =>
    posterStudio.reply(
      new Conversation({ model: 'm', messages: this.#messages, tools: offered(this.tools) }),
    );
}

const WRITTEN = { result: { version: 1 }, artifacts: [{ id: 'art_1' }] };
const CHANGED = { error: { code: 'document_changed', message: 'The user has changed it.' } };

const LANGUAGES = [
  {
    ask: 'Write a brief for our autumn tea sale',
    title: 'Autumn Tea Sale brief.md',
    shorten: 'Make the goal shorter',
    find: /^## Goal\n\nBring .*success\.$/s,
    replace: '## Goal\n\nBring regular guests back after the summer.',
  },
  {
    ask: '为我们的秋季茶叶促销写一份简报',
    title: '秋季茶叶促销简报.md',
    shorten: '把目标写短一点',
    find: /^## 目标\n\n让.*成功。$/s,
    replace: '## 目标\n\n让老顾客在夏天之后回来。',
  },
];

test.each(LANGUAGES)('"$ask" is written, then changed in the part that is named', (words) => {
  const talk = new Talk();
  const asked = talk.says(words.ask);
  expect(asked.toolCalls).toMatchObject([{ name: 'write_document', arguments: { title: words.title } }]);
  expect(talk.gets(asked, WRITTEN).toolCalls).toBeUndefined();
  const change = talk.says(words.shorten);
  expect(change.toolCalls).toEqual([
    {
      name: 'edit_document',
      arguments: {
        id: 'art_1',
        baseVersion: 1,
        edits: [{ find: expect.stringMatching(words.find), replace: words.replace }],
      },
    },
  ]);
});

test('an edit on a version that is not the newest is made again on the one that was read', () => {
  const talk = new Talk();
  talk.gets(talk.says('Write a brief for our autumn tea sale'), WRITTEN);
  const read = talk.gets(talk.says('Change the message to "Tea, and time."'), CHANGED);
  expect(read.toolCalls).toEqual([{ name: 'get_artifact', arguments: { id: 'art_1' } }]);
  const text = '# Tea\n\n## Message\n\nThe words of the person.\n';
  const again = talk.gets(read, { result: { id: 'art_1', version: 2, text } });
  expect(again.toolCalls).toEqual([
    {
      name: 'edit_document',
      arguments: {
        id: 'art_1',
        baseVersion: 2,
        edits: [{ find: '## Message\n\nThe words of the person.', replace: '## Message\n\nTea, and time.' }],
      },
    },
  ]);
  expect(talk.gets(again, { result: { id: 'art_1', version: 3 } }).text).toContain('Done.');
  const next = talk.says('Change the message to "Tea."');
  expect(next.toolCalls).toMatchObject([
    { arguments: { baseVersion: 3, edits: [{ find: '## Message\n\nTea, and time.' }] } },
  ]);
});

test('a list gets a new item, and a part that is not there is asked for', () => {
  const talk = new Talk();
  talk.gets(talk.says('Write a brief for our autumn tea sale'), WRITTEN);
  expect(talk.says('Add a step: "Call the print shop"').toolCalls).toMatchObject([
    { arguments: { edits: [{ replace: expect.stringMatching(/newsletter\n- Call the print shop$/) }] } },
  ]);
  const read = talk.gets(talk.says('Make the goal shorter'), CHANGED);
  expect(talk.gets(read, { result: { id: 'art_1', version: 2, text: '# Empty\n' } }).text).toContain(
    'changed nothing',
  );
});

test('somebody who saves all the time is not followed for ever', () => {
  const talk = new Talk();
  talk.gets(talk.says('Write a brief for our autumn tea sale'), WRITTEN);
  let reply = talk.says('Make the goal shorter');
  let edits = 0;
  for (let version = 2; reply.toolCalls !== undefined; version += 1) {
    edits += 1;
    const read = talk.gets(reply, CHANGED);
    if (read.toolCalls === undefined) break;
    const text = '## Goal\n\nMany guests, every day.\n';
    reply = talk.gets(read, { result: { id: 'art_1', version, text } });
  }
  expect(edits).toBe(3);
});

test('without the tools of documents, and for everything else, the studio makes posters', () => {
  expect(new Talk(POSTER).says('Write a brief for our autumn tea sale').toolCalls?.[0]?.name).toBe(
    'choose_style',
  );
  const talk = new Talk();
  talk.gets(talk.says('Write a brief for our autumn tea sale'), WRITTEN);
  expect(talk.says('A poster for our autumn tea sale').toolCalls?.[0]?.name).toBe('choose_style');
});
