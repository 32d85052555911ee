import type { ArtifactView, EventBody, InterruptView, StreamEntry, ToolCallView } from '@plinth/protocol';

export const AT = '2026-01-01T10:00:00.000Z';

/** Numbers bodies as the entries of one log, beginning behind `after`. */
export function toEntries(bodies: readonly EventBody[], after = 0): StreamEntry[] {
  return bodies.map((body, index) => ({
    seq: `1-${after + index + 1}`,
    runId: 'run_1',
    messageId: 'msg_1',
    at: AT,
    ...body,
  }));
}

export function anEntry(body: EventBody, n = 1): StreamEntry {
  const [entry] = toEntries([body], n - 1);
  if (!entry) throw new Error('one body makes one entry');
  return entry;
}

export const textDelta = (turn: number, from: number, text: string): EventBody => ({
  type: 'text.delta',
  turn,
  from,
  text,
});

export const toolStarted = (callId: string, turn = 0): EventBody => ({
  type: 'tool.started',
  turn,
  callId,
  tool: 'choose_style',
  title: 'Choose a style',
  location: 'client',
  arguments: { count: 4 },
});

export const runFinished = (status: 'completed' | 'failed' | 'cancelled' = 'completed'): EventBody => ({
  type: 'run.finished',
  status,
  reason: status === 'completed' ? 'final_answer' : 'cancelled',
  usage: { inputTokens: 9, cachedInputTokens: 1, outputTokens: 5 },
  error: null,
});

export function aCall(changes: Partial<ToolCallView> = {}): ToolCallView {
  const fixed = {
    tool: 'choose_style',
    title: 'Choose a style',
    location: 'client',
    turn: 0,
    arguments: { count: 4 },
  } as const;
  const state = {
    status: 'started',
    progress: null,
    summary: null,
    error: null,
    artifactIds: [],
    visibility: 'chat',
  } as const;
  return { callId: 'tc_1', ...fixed, ...state, artifactIds: [], ...changes };
}

export function aComponentInterrupt(changes: Partial<InterruptView> = {}): InterruptView {
  return {
    id: 'int_1',
    callId: 'tc_1',
    tool: 'choose_style',
    title: 'Choose a style',
    state: 'open',
    openedAt: AT,
    expiresAt: null,
    answeredBy: null,
    answeredAt: null,
    closedWhy: null,
    kind: 'component',
    component: 'StylePicker',
    props: { styles: ['ink', 'bold'] },
    schema: { type: 'object' },
    ...changes,
  } as InterruptView;
}

export function aQuestion(changes: Partial<InterruptView> = {}): InterruptView {
  const {
    component: _component,
    props: _props,
    ...rest
  } = aComponentInterrupt() as InterruptView & {
    kind: 'component';
  };
  return { ...rest, kind: 'question', arguments: { order: 'A-7' }, ...changes } as InterruptView;
}

export function aFrontendInterrupt(changes: Partial<InterruptView> = {}): InterruptView {
  const {
    component: _component,
    props: _props,
    schema: _schema,
    ...rest
  } = aComponentInterrupt() as InterruptView & { kind: 'component' };
  const frontend = { kind: 'frontend', handler: 'editor', arguments: { file: 'a.txt' }, lease: null };
  return { ...rest, ...frontend, ...changes } as InterruptView;
}

export function anArtifact(changes: Partial<ArtifactView> = {}): ArtifactView {
  return {
    id: 'art_1',
    threadId: 'thr_1',
    runId: 'run_1',
    callId: 'tc_1',
    kind: 'image',
    mimeType: 'image/png',
    title: 'Poster',
    version: 1,
    sizeBytes: 10,
    sha256: '00',
    open: 'auto',
    createdAt: AT,
    ...changes,
  };
}
