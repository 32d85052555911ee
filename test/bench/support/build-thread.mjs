/** Writes a conversation into a thread through the ledger, as runs of the past. */
import { closeRun } from '@plinth/engine';

const NO_USAGE = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

function turnOf(index, assistantRaw, now) {
  return {
    index,
    assistantRaw,
    reasoning: null,
    requestDigest: 'bench',
    configRevision: 1,
    usage: NO_USAGE,
    createdAt: now,
  };
}

function callOf(ids, toolResult, now) {
  const settled = {
    status: 'succeeded',
    approvedAt: null,
    startedAt: now,
    startedFence: 1,
    acceptedAt: null,
    finishedAt: now,
  };
  return {
    id: ids.next('call'),
    turnIndex: 0,
    position: 0,
    providerCallId: 'call_large_result_0001',
    tool: 'ask',
    argumentsRaw: '{"question":"large"}',
    argumentsEdited: null,
    ...settled,
    resultText: JSON.stringify({ result: toolResult }),
    summary: null,
    error: null,
    artifactIds: [],
    visibility: 'chat',
  };
}

/** Returns the id of a thread with this conversation. */
export async function buildThread(platform, tenant, agent, conversation) {
  const { ledger, ids } = platform;
  let threadId = null;
  for (const { user, assistant, toolResult } of conversation) {
    const now = Date.now();
    const created = await ledger.createRun(
      tenant,
      {
        runId: ids.next('run'),
        messageId: ids.next('message'),
        userMessageId: ids.next('message'),
        threadId,
        newThreadId: ids.next('thread'),
        title: 'bench',
        endUserId: 'bench',
        agentVersionId: agent.id,
        agent: { key: agent.definition.key, version: agent.version },
        text: user,
        idempotency: null,
        deadlineAt: now + 86_400_000,
        now,
      },
      () => null,
    );
    if (created.kind !== 'created') throw new Error(`the thread could not be built: ${created.kind}`);
    threadId = created.run.threadId;
    await ledger.claimRun(tenant, created.run.id, { owner: 'bench', now, leaseUntil: now + 60_000 });
    const changes = [];
    if (toolResult !== null) {
      const call = callOf(ids, toolResult, now);
      const asked = {
        id: call.providerCallId,
        type: 'function',
        function: { name: call.tool, arguments: call.argumentsRaw },
      };
      changes.push({
        type: 'turn.append',
        turn: turnOf(0, JSON.stringify({ role: 'assistant', content: null, tool_calls: [asked] }), now),
      });
      changes.push({ type: 'call.create', call });
    }
    changes.push({
      type: 'turn.append',
      turn: turnOf(
        changes.length === 0 ? 0 : 1,
        JSON.stringify({ role: 'assistant', content: assistant }),
        now,
      ),
    });
    await ledger.transact(tenant, created.run.id, (locked) => {
      const ended = closeRun(locked, {
        status: 'completed',
        reason: 'final_answer',
        error: null,
        usage: NO_USAGE,
        now,
      });
      return { decision: { ...ended, changes: [...changes, ...ended.changes] }, result: null };
    });
  }
  return threadId;
}
