import type { MessageView } from '@plinth/protocol';

/** The view of an assistant message before the first entry of its log. */
export function emptyMessageView(messageId: string, runId: string): MessageView {
  return {
    messageId,
    runId,
    status: 'queued',
    reason: null,
    parts: [],
    calls: [],
    interrupts: [],
    artifacts: [],
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    error: null,
  };
}
