import {
  type ChatMessage,
  type ModelSim,
  type RecordedRequest,
  type Reply,
  type Scenario,
  summariser,
} from '@plinth/model-sim';
import { parseRequest, type SentRequest } from '@plinth/testkit/system';
import { expect } from 'vitest';

/** A request to the model as it came in, and how it was answered. */
export interface AgentRequest extends SentRequest {
  sizeBytes: number;
  digest: string;
  status: number | undefined;
  /** What the model's endpoint fetched for it. */
  fetchedImages: RecordedRequest['fetchedImages'];
}

/** What has come to the model since a moment. */
export interface Watched {
  /** For the next answer of an agent. */
  agent(): AgentRequest[];
  /** For a summary of what leaves a conversation. */
  summaries(): AgentRequest[];
}

/** The model plays the steps, and writes summaries when it is asked for them. Watches what comes from here on. */
export function playAgent(sim: ModelSim, steps: Reply[]): Watched {
  sim.setScenarios([summariser, stepByStep(steps)]);
  const from = sim.requests.length;
  const since = (isSummary: boolean) =>
    sim.requests
      .slice(from)
      .map(asSent)
      .filter((request) => isSummaryRequest(request) === isSummary);
  return { agent: () => since(false), summaries: () => since(true) };
}

/** As `scripted`, but what a result shows stands in a message of the user that nobody has said. */
function stepByStep(steps: Reply[]): Scenario {
  return {
    name: 'step by step',
    matches: () => true,
    reply({ request: { messages } }) {
      const said = messages.findLastIndex((message) => message.role === 'user' && !showsResult(message));
      const answers = messages.slice(said + 1).filter(({ role }) => role === 'assistant');
      return steps[answers.length] ?? steps.at(-1) ?? {};
    },
  };
}

const showsResult = ({ content }: ChatMessage): boolean =>
  Array.isArray(content) && content[0]?.type === 'text' && content[0].text === 'Images of the results above:';

function asSent({ raw, sizeBytes, digest, status, fetchedImages }: RecordedRequest): AgentRequest {
  // One that was refused for its size is not kept, and no summary is.
  const sent = raw === '' ? { messages: [] } : parseRequest(raw);
  return { ...sent, sizeBytes, digest, status, fetchedImages };
}

const isSummaryRequest = (request: SentRequest): boolean =>
  summariser.matches(request as Parameters<typeof summariser.matches>[0]);

/** The two requests must differ in nothing but the ids that differ between any two conversations. */
export const withoutIds = (body: string): string => body.replaceAll(/\b(art|call)_\w+/g, '$1');

/** Every call has its result, at once behind it, and no result is without its call. */
export function expectWholeUnits({ messages }: AgentRequest): void {
  const pending: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(pending.shift()).toBe(message.tool_call_id);
      continue;
    }
    expect(pending).toEqual([]);
    pending.push(...(message.tool_calls ?? []).map(({ id }) => id));
  }
  expect(pending).toEqual([]);
}
