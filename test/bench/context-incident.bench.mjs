/**
 * The conversation that has broken a production system (`image-incident.ts` of the testkit): what the next request to the
 * model is when everything is sent as it is, and what it is by the platform. Both are counted by the same simulator, with the
 * published formulas for pictures. The gateway takes 30 MB.
 *
 * And how much of each prompt the next one begins with, byte by byte: in that conversation, and in a long one with tools and
 * pictures that no wall is near to. A provider's prompt cache lives on it; what it says that it had cached stands beside it.
 */
import { scripted, summariser } from '@plinth/model-sim';
import {
  answerWithOrders,
  INCIDENT_SCRIPT,
  naiveIncidentBody,
  parseRequest,
  photo,
  playIncident,
  prefixShare,
  startPlinth,
  startWith,
  uploadFile,
} from '@plinth/testkit/system';

const QUESTION = 'Which of the pictures goes with which day?';
const LONG_TURNS = 20;
const PATIENCE_MS = 120_000;
const NO_WALLS = {
  walls: { bodyBytes: 1e12, imagesTotalBytes: null, imageBytes: null, windowTokens: 1e9 },
};

const ordersTool = (jobs) => ({
  key: 'orders',
  title: 'Orders',
  description: 'Looks up the orders of a day.',
  parameters: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
  executor: { kind: 'remote', url: `${jobs}/orders` },
});

export default async function measure({ appUrl, redisUrl }) {
  const business = (jobs) => ({ key: 'acme', tools: [ordersTool(jobs)] });
  const plinth = await startPlinth({ topology: 'single', appUrl, redisUrl, business });
  try {
    answerWithOrders(plinth.jobs);
    return [...(await measureIncident(plinth)), ...(await measureLong(plinth))];
  } finally {
    await plinth.close();
  }
}

async function measureIncident(plinth) {
  const { sim } = plinth;
  const naive = naiveIncidentBody('gpt-4o');
  sim.setPersona('strict-gateway');
  const refusal = await post(sim, naive);
  sim.setScenarios([summariser, scripted(INCIDENT_SCRIPT)]);
  sim.clearRequests();
  const ada = await plinth.session();
  const { threadId } = await playIncident(ada);
  const next = await ada.start(QUESTION, { threadId });
  const { status } = await ada.ended(next.messageId, PATIENCE_MS);
  const requests = agentRequests(sim);
  const sent = requests.findLast(({ raw }) => parseRequest(raw).messages.at(-1)?.role === 'user');
  const refused = requests.filter((request) => request.status !== 200).length;
  if (status !== 'completed' || !sent) throw new Error(`the incident ended as ${status}`);
  return [
    { name: 'incident, sent as it is: status of the gateway', unit: 'HTTP', value: refusal.status },
    { name: 'incident, sent as it is: body', unit: 'bytes', value: Buffer.byteLength(naive) },
    { name: 'incident, sent as it is: prompt', unit: 'tokens', value: await tokensOf(sim, naive) },
    { name: 'incident, by the platform: requests refused', unit: 'requests', value: refused },
    { name: 'incident, by the platform: body', unit: 'bytes', value: sent.sizeBytes },
    {
      name: 'incident, by the platform: largest body',
      unit: 'bytes',
      value: Math.max(...requests.map(({ sizeBytes }) => sizeBytes)),
    },
    { name: 'incident, by the platform: prompt', unit: 'tokens', value: await tokensOf(sim, sent.raw) },
    ...shareRows('incident', requests),
  ];
}

async function measureLong(plinth) {
  const { sim } = plinth;
  sim.setPersona('openai');
  sim.setScenarios([summariser, scripted([INCIDENT_SCRIPT[0], { text: 'It is about tea. '.repeat(40) }])]);
  sim.clearRequests();
  const ada = await plinth.session('grace');
  let threadId;
  const cached = [];
  for (let turn = 0; turn < LONG_TURNS; turn += 1) {
    const attachments =
      turn % 5 === 1 ? [{ uploadId: (await uploadFile(ada, photo(600_000, turn), `${turn}.png`)).id }] : [];
    const run = await startWith(ada, `Turn ${turn}: what about the leaves?`, attachments, threadId);
    threadId = run.threadId;
    await ada.ended(run.messageId, PATIENCE_MS);
    const { usage } = await ada.run(run.runId);
    cached.push((100 * usage.cachedInputTokens) / usage.inputTokens);
  }
  return [
    ...shareRows('long conversation', agentRequests(sim)),
    { name: 'long conversation: cached tokens of a run', unit: '%', samples: cached },
  ];
}

/** Those for an answer, in order; a run's last request ends with a result, its first with what was said. */
const agentRequests = (sim) => sim.requests.filter(({ parsed }) => !parsed || !summariser.matches(parsed));

function shareRows(name, requests) {
  const sent = requests.filter(({ raw }) => raw !== '').map(({ raw }) => parseRequest(raw));
  const samples = sent.slice(1).map((request, index) => 100 * prefixShare(sent[index], request));
  return [
    { name: `${name}: prompt unchanged from one request to the next`, unit: '%', samples },
    {
      name: `${name}: prompt unchanged from one request to the next, least`,
      unit: '%',
      value: Math.min(...samples),
    },
  ];
}

function post(sim, body) {
  return fetch(`${sim.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body,
  });
}

/** As the simulator counts: the same ruler for both. */
async function tokensOf(sim, raw) {
  sim.setPersona('openai', NO_WALLS);
  sim.setScenarios([scripted([{ text: 'Counted.' }])]);
  const { stream, stream_options, ...body } = JSON.parse(raw);
  const answer = await (await post(sim, JSON.stringify(body))).json();
  if (!answer.usage) throw new Error(`not counted: ${JSON.stringify(answer)}`);
  return answer.usage.prompt_tokens;
}
