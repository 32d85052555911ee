import { type BaseEvent, EventType } from '@ag-ui/client';
import { scripted } from '@plinth/model-sim';
import { until } from '@plinth/testkit/system';
import { afterEach, expect, it } from 'vitest';
import { askingModel, object, tools, withPlinth } from '../http/with-plinth.js';
import { AguiClient, frontendTool, PATIENT_MS, pendingCalls, shownRun } from './agui-client.js';

const plinth = withPlinth({}, () => [
  {
    key: 'edit',
    title: 'Edit',
    description: 'Edits a file.',
    parameters: object({ file: { type: 'string' } }),
    executor: { kind: 'frontend', handler: 'editor' },
  },
]);
const WORDS = 'one two three four five six seven eight nine ten';

afterEach(() => plinth().sim.setLatency({ firstTokenMs: 0, perChunkMs: 0 }));

/** A run that answers slowly, and a client that has heard the beginning of it. */
async function inTheMiddle(client: AguiClient) {
  plinth().sim.setScenarios([scripted([{ text: WORDS }])]);
  plinth().sim.setLatency({ firstTokenMs: 0, perChunkMs: 150 });
  const abortController = new AbortController();
  const events: BaseEvent[] = [];
  const running = client.say('count', { abortController, onEvent: (event) => events.push(event) });
  running.catch(() => {});
  await until('some text', () => events.some(({ type }) => type === EventType.TEXT_MESSAGE_CONTENT) || null);
  return { running, abortController, run: shownRun({ events }) };
}

it(
  'a connection that is cut does not stop the run, and the same request comes back to it in the middle of a message',
  async () => {
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    const { abortController, running, run } = await inTheMiddle(client);
    abortController.abort();
    await running.catch(() => {});
    const again = await client.run();
    expect(shownRun(again)).toEqual(run);
    expect(again.types.slice(0, 3)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'TEXT_MESSAGE_START']);
    expect(again.finished?.outcome).toEqual({ type: 'success' });
    expect(client.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'count'],
      ['assistant', WORDS],
    ]);
    expect(plinth().sim.requests.filter(({ raw }) => raw.includes('count'))).toHaveLength(1);
  },
  PATIENT_MS,
);

it(
  'another client that knows only the thread gets all of it, by the ids that the first one has',
  async () => {
    plinth().sim.setScenarios([scripted([{ text: 'Hello.' }])]);
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    await client.say('hello');
    const other = new AguiClient(ada, { threadId: client.agent.threadId });
    const { finished, types } = await other.run();
    expect(types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(finished?.outcome).toEqual({ type: 'success' });
    expect(other.messages.at(-1)).toEqual(client.messages.at(-1));
  },
  PATIENT_MS,
);

it(
  'a client that comes back while the run waits is asked again',
  async () => {
    plinth().sim.setScenarios([askingModel]);
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    await client.say('hello');
    const other = new AguiClient(ada, { threadId: client.agent.threadId });
    await other.run();
    expect(other.interrupts).toEqual(client.interrupts);
    expect(other.messages.slice(1)).toEqual(client.messages.slice(1));
  },
  PATIENT_MS,
);

it(
  'an answer that somebody else gave is not given again, and the second one hears who was first',
  async () => {
    plinth().sim.setScenarios([askingModel]);
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    await client.say('hello');
    const [{ id } = { id: '' }] = client.interrupts;
    await ada.answer(id, { type: 'submit', value: { answer: 'In the other tab.' } });
    const late = client.run({
      resume: [{ interruptId: id, status: 'resolved', payload: { answer: 'Here.' } }],
    });
    await expect(late).rejects.toThrow(/interrupt_already_answered.*"id":"ada"/s);
  },
  PATIENT_MS,
);

it(
  'answers that are sent again come back to their run, also when it waits for something else by then',
  async () => {
    const asks = (question: string) => ({ toolCalls: [{ name: 'ask', arguments: { question } }] });
    plinth().sim.setScenarios([scripted([asks('Why?'), asks('And when?'), { text: 'Thanks.' }])]);
    const client = new AguiClient(await plinth().session('ada'));
    await client.say('hello');
    const [first] = client.interrupts;
    const resume = [
      { interruptId: first?.id ?? '', status: 'resolved' as const, payload: { answer: 'Because.' } },
    ];
    await client.run({ resume });
    const second = client.interrupts;
    expect(second.map(({ id }) => id)).not.toContain(first?.id);
    client.agent.pendingInterrupts = [];
    await client.run({ resume });
    expect(client.interrupts).toEqual(second);
  },
  PATIENT_MS,
);

it(
  'a tool’s result that is sent several times at once is taken once, and every sender sees the run to its end',
  async () => {
    plinth().sim.setScenarios([
      scripted([{ toolCalls: [{ name: 'edit', arguments: { file: 'a.txt' } }] }, { text: 'Edited.' }]),
    ]);
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    const tools = [frontendTool];
    const [callId = ''] = pendingCalls(await client.say('edit it', { tools }));
    const result = { id: 'r', role: 'tool' as const, toolCallId: callId, content: 'done' };
    const senders = Array.from({ length: 4 }, () => {
      const sender = new AguiClient(ada, { threadId: client.agent.threadId });
      sender.agent.setMessages([...client.messages, result]);
      return sender;
    });
    const seen = await Promise.all(senders.map((sender) => sender.run({ tools })));
    for (const { finished } of seen) expect(finished?.outcome).toEqual({ type: 'success' });
    for (const { messages } of senders) expect(messages.at(-1)).toMatchObject({ content: 'Edited.' });
  },
  PATIENT_MS,
);

it(
  'a new message with everything cancelled leaves the waiting run and begins the next one',
  async () => {
    plinth().sim.setScenarios([askingModel]);
    const client = new AguiClient(await plinth().session('ada'));
    const first = await client.say('hello');
    const [{ id } = { id: '' }] = client.interrupts;
    plinth().sim.setScenarios([scripted([{ text: 'Something else.' }])]);
    const second = await client.say('never mind', { resume: [{ interruptId: id, status: 'cancelled' }] });
    expect(second.finished?.outcome).toEqual({ type: 'success' });
    expect(shownRun(second).runId).not.toBe(shownRun(first).runId);
    expect(shownRun(second).threadId).toBe(shownRun(first).threadId);
  },
  PATIENT_MS,
);

it(
  'a cancelled run ends as cancelled',
  async () => {
    const ada = await plinth().session('ada');
    const client = new AguiClient(ada);
    const { running, run } = await inTheMiddle(client);
    await ada.call('POST', `/v1/runs/${run.runId}/cancel`);
    const { finished } = await running;
    expect(finished?.outcome).toEqual({ type: 'cancelled' });
  },
  PATIENT_MS,
);

it(
  'a run that fails ends with RUN_ERROR and its code, also for a client that comes back',
  async () => {
    plinth().sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 401 } }]);
    const client = new AguiClient(await plinth().session('ada'));
    const codes: unknown[] = [];
    const onEvent = (event: BaseEvent) => {
      if (event.type === EventType.RUN_ERROR) codes.push(event.code);
    };
    await client.say('hello', { onEvent }).catch(() => {});
    await client.run({ onEvent }).catch(() => {});
    expect(codes).toEqual([expect.stringMatching(/^model_/), codes[0]]);
  },
  PATIENT_MS,
);

it(
  'a name belongs to its end user and its tenant: another one’s thread of that name is another thread',
  async () => {
    plinth().sim.setScenarios([askingModel]);
    const threadId = 'the-same-name';
    const ada = new AguiClient(await plinth().session('ada'), { threadId });
    await ada.say('a secret');
    expect(ada.interrupts).toHaveLength(1);
    const [{ id } = { id: '' }] = ada.interrupts;
    const globex = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
    const others = {
      eve: new AguiClient(await plinth().session('eve'), { threadId }),
      globex: new AguiClient(globex, { threadId, headers: { 'plinth-end-user': 'ada' } }),
    };
    for (const [who, other] of Object.entries(others)) {
      const seen = await other.run();
      expect({ who, types: seen.types }).toEqual({
        who,
        types: ['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED'],
      });
      expect({ who, messages: other.messages }).toEqual({ who, messages: [] });
      const stolen = other.run({
        resume: [{ interruptId: id, status: 'resolved', payload: { answer: 'x' } }],
      });
      await expect(stolen, who).rejects.toThrow(/not_found/);
    }
    await ada.run({ resume: [{ interruptId: id, status: 'resolved', payload: { answer: 'mine' } }] });
  },
  PATIENT_MS,
);

it(
  'a back end names the end user in a header; without it, or with a token for another agent, it is refused',
  async () => {
    plinth().sim.setScenarios([scripted([{ text: 'Hello.' }])]);
    const { backend } = plinth();
    const named = new AguiClient(backend, { headers: { 'plinth-end-user': 'ada' } });
    const { threadId } = shownRun(await named.say('hello'));
    const ada = await plinth().session('ada');
    expect(await ada.call('GET', `/v1/threads/${threadId}`)).toMatchObject({ id: threadId });
    await expect(new AguiClient(backend).say('hello')).rejects.toThrow(/invalid_request.*Plinth-End-User/s);
    const pretender = new AguiClient(ada, { headers: { 'plinth-end-user': 'eve' } });
    await expect(pretender.say('hello')).rejects.toThrow(/forbidden/);
    const bound = await backend.call<{ token: string }>('POST', '/v1/session-tokens', {
      endUserId: 'ada',
      agent: 'another',
    });
    await expect(new AguiClient(plinth().as(bound.token)).say('hello')).rejects.toThrow(/forbidden/);
    await expect(
      new AguiClient(backend, { agent: 'nobody', headers: { 'plinth-end-user': 'ada' } }).say('x'),
    ).rejects.toThrow(/not_found/);
  },
  PATIENT_MS,
);

it(
  'what cannot be taken is refused by its field, before anything is begun',
  async () => {
    const ada = await plinth().session('ada');
    const send = (body: unknown) => ada.raw('POST', '/v1/agents/tester/agui', body);
    const base = { threadId: 't', runId: 'r', tools: [], context: [], state: {}, forwardedProps: {} };
    const user = (content: unknown) => ({ ...base, messages: [{ id: 'm', role: 'user', content }] });
    const cases: [unknown, string][] = [
      [{ ...base, messages: 'none' }, 'messages'],
      [{ ...base, threadId: 'a\u0000b', messages: [] }, 'threadId'],
      [{ ...base, threadId: 'x'.repeat(201), messages: [] }, 'threadId'],
      [user('  '), 'messages.0.content'],
      [user('x'.repeat(100_001)), 'messages.0.content'],
      [
        user([{ type: 'image', source: { type: 'url', value: 'ftp://a.example/b.png' } }]),
        'messages.0.content.0.source.value',
      ],
    ];
    for (const [body, path] of cases) {
      expect(await send(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path }] },
      });
    }
    expect(await ada.call('GET', '/v1/threads')).toMatchObject({
      items: expect.not.arrayContaining([expect.objectContaining({ title: 'x'.repeat(59) })]),
    });
  },
  PATIENT_MS,
);
