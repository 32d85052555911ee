/**
 * The peer: LangGraph JS with its Postgres checkpointer does the same interrupt and resume, on the same histories,
 * with the same model server, on the same database server, counted by the same proxy. Each row is named as the one of
 * `interrupt-cycle.bench.mjs` that measures the same of Plinth, so that the report can put the two side by side.
 */
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { startCountingProxy } from './support/counting-proxy.mjs';
import { conversationOf } from './support/histories.mjs';
import { startModelProcess } from './support/model-process.mjs';
import { watchWriteAheadLog } from './support/write-ahead-log.mjs';

const SIZES = [10, 100, 400];
const WARM_UP = 3;
const RUNS = 20;
const CYCLES = 20;
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'ask',
      description: 'Asks the person.',
      parameters: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
    },
  },
];

export default async function measure({ adminUrl }) {
  const sim = await startModelProcess('asking');
  const counts = await startCountingProxy(adminUrl);
  const wal = await watchWriteAheadLog(adminUrl);
  try {
    const timed = await bySize(adminUrl, sim.url, latencies);
    const counted = await bySize(counts.url, sim.url, (graph, size) => costs(graph, size, { counts, wal }));
    return SIZES.flatMap((_, i) => [...timed[i], ...counted[i]]);
  } finally {
    await wal.close();
    counts.close();
    await sim.close();
  }
}

/** Like Plinth's, times are taken without the proxy that counts. */
async function bySize(databaseUrl, modelUrl, take) {
  const saver = PostgresSaver.fromConnString(databaseUrl);
  await saver.setup();
  const graph = buildGraph(modelUrl).compile({ checkpointer: saver });
  try {
    const rows = [];
    for (const size of SIZES) {
      const named = (row) => ({ ...row, name: `LangGraph: ${row.name}, ${size} messages` });
      rows.push((await take(graph, size)).map(named));
    }
    return rows;
  } finally {
    await saver.end();
  }
}

function buildGraph(modelUrl) {
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await askModel(modelUrl, messages)] }))
    .addNode('ask', ({ messages }) => {
      const call = messages.at(-1).tool_calls[0];
      const value = interrupt({ question: call.args.question });
      return { messages: [new ToolMessage({ content: JSON.stringify(value), tool_call_id: call.id })] };
    })
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? 'ask' : END))
    .addEdge('ask', 'agent');
}

const ROLE = { human: 'user', ai: 'assistant', tool: 'tool' };

function toOpenAi(message) {
  const calls = message.tool_calls ?? [];
  return {
    role: ROLE[message.getType()],
    content: message.content,
    ...(message.tool_call_id ? { tool_call_id: message.tool_call_id } : {}),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
  };
}

async function askModel(url, messages) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages: messages.map(toOpenAi), tools: TOOLS }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { content, tool_calls: calls = [] } = (await response.json()).choices[0].message;
  return new AIMessage({
    content: content ?? '',
    tool_calls: calls.map((call) => ({
      id: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments),
    })),
  });
}

function historyOf(size) {
  return conversationOf(size).flatMap(({ user, assistant, toolResult }) => [
    new HumanMessage(user),
    ...(toolResult === null
      ? []
      : [
          new AIMessage({
            content: '',
            tool_calls: [{ id: 'call_large_result_0001', name: 'ask', args: { question: 'large' } }],
          }),
          new ToolMessage({
            content: JSON.stringify({ result: toolResult }),
            tool_call_id: 'call_large_result_0001',
          }),
        ]),
    new AIMessage(assistant),
  ]);
}

async function latencies(graph, size) {
  const persisted = [];
  const finished = [];
  for (let i = -WARM_UP; i < RUNS; i += 1) {
    const config = await newThread(graph, size, i);
    const began = performance.now();
    await graph.invoke({ messages: [new HumanMessage('ask 1 times')] }, config);
    const interrupted = performance.now();
    await graph.invoke(new Command({ resume: { answer: 'yes' } }), config);
    if (i < 0) continue;
    persisted.push(interrupted - began);
    finished.push(performance.now() - interrupted);
  }
  return [
    { name: 'run -> interrupt persisted', unit: 'ms', samples: persisted },
    { name: 'answer -> finished', unit: 'ms', samples: finished },
  ];
}

async function costs(graph, size, { counts, wal }) {
  const config = { ...(await newThread(graph, size, 'cycles')), recursionLimit: 100 };
  await graph.invoke({ messages: [new HumanMessage(`ask ${CYCLES + 1} times`)] }, config);
  const cycles = [];
  for (let i = 0; i < CYCLES; i += 1) {
    counts.take();
    await wal.take();
    await graph.invoke(new Command({ resume: { answer: 'yes' } }), config);
    const { parameterBytes, statements } = counts.take();
    cycles.push({ bytes: parameterBytes, statements, wal: await wal.take() });
  }
  const sent = (field, index) => ({
    name: `${field} sent, cycle ${index + 1}`,
    unit: field,
    value: cycles[index][field],
  });
  return [
    ...['bytes', 'statements'].flatMap((field) => [sent(field, 0), sent(field, CYCLES - 1)]),
    { name: 'WAL written per cycle', unit: 'bytes', samples: cycles.map((cycle) => cycle.wal) },
  ];
}

/** A thread that has this history already. */
async function newThread(graph, size, name) {
  const config = { configurable: { thread_id: `bench-${size}-${name}` } };
  await graph.updateState(config, { messages: historyOf(size) }, 'ask');
  return config;
}
