import { randomUUID } from 'node:crypto';
import {
  type BaseEvent,
  EventType,
  HttpAgent,
  type Interrupt,
  type Message,
  type ResumeEntry,
  type RunFinishedEvent,
  type Tool,
} from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import type { ApiClient } from '@plinth/testkit/system';

/** Milliseconds for one test on a machine that runs several suites at once. */
export const PATIENT_MS = 180_000;

export const frontendTool: Tool = {
  name: 'edit',
  description: 'Edits a file.',
  parameters: { type: 'object', properties: { file: { type: 'string' } } },
};

interface RunOptions {
  tools?: Tool[];
  resume?: ResumeEntry[];
  runId?: string;
  onEvent?: (event: BaseEvent) => void;
  abortController?: AbortController;
}

/** What one AG-UI run has brought, as the client saw it. */
export interface Seen {
  events: BaseEvent[];
  types: string[];
  finished: RunFinishedEvent | undefined;
}

/** The published AG-UI client, with what it is given written down. Every event is checked against the published schema. */
export class AguiClient {
  readonly agent: HttpAgent;

  constructor(
    client: Pick<ApiClient, 'url' | 'credential'>,
    options: { threadId?: string; agent?: string; headers?: Record<string, string> } = {},
  ) {
    this.agent = new HttpAgent({
      url: `${client.url}/v1/agents/${options.agent ?? 'tester'}/agui`,
      headers: { authorization: `Bearer ${client.credential}`, ...options.headers },
      threadId: options.threadId ?? randomUUID(),
    });
  }

  get messages(): Message[] {
    return this.agent.messages;
  }

  get interrupts(): Interrupt[] {
    return this.agent.pendingInterrupts;
  }

  say(text: string, options: RunOptions = {}): Promise<Seen> {
    this.agent.addMessage({ id: randomUUID(), role: 'user', content: text });
    return this.run(options);
  }

  /** Runs the agent with the messages as they are. */
  async run({ tools = [], resume, runId, onEvent, abortController }: RunOptions = {}): Promise<Seen> {
    const events: BaseEvent[] = [];
    await this.agent.runAgent(
      {
        tools,
        ...(resume === undefined ? {} : { resume }),
        ...(runId === undefined ? {} : { runId }),
        ...(abortController === undefined ? {} : { abortController }),
      },
      {
        onEvent: ({ event }) => {
          EventSchema.parse(event);
          events.push(event);
          onEvent?.(event);
        },
      },
    );
    const finished = events.find(({ type }) => type === EventType.RUN_FINISHED);
    return {
      events,
      types: events.map(({ type }) => type),
      finished: finished as RunFinishedEvent | undefined,
    };
  }
}

/** Our ids of the run that a stream shows. */
export function shownRun({ events }: Pick<Seen, 'events'>): {
  runId: string;
  messageId: string;
  threadId: string;
} {
  const started = events.find(({ type }) => type === EventType.RUN_STARTED);
  return (started as unknown as { metadata: { plinth: never } }).metadata.plinth;
}

/** The calls that the AG-UI run left for the client. */
export function pendingCalls({ finished }: Pick<Seen, 'finished'>): string[] {
  const outcome = finished?.outcome;
  return outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : [];
}
