/** Messages whose runs are held by a worker that does not exist, so that a benchmark can write their events itself. */

const HELD_MS = 600_000;

/** Returns `count` messages, each `{ messageId, fence }`. */
export async function createRunningMessages({ ledger, ids, agents }, tenant, count) {
  const agent = await agents.newest(tenant, 'tester');
  const create = async () => {
    const now = Date.now();
    const created = await ledger.createRun(
      tenant,
      {
        runId: ids.next('run'),
        messageId: ids.next('message'),
        userMessageId: ids.next('message'),
        threadId: null,
        newThreadId: ids.next('thread'),
        title: 'bench',
        endUserId: 'bench',
        agentVersionId: agent.id,
        agent: { key: agent.definition.key, version: agent.version },
        text: 'hello',
        idempotency: null,
        now,
        deadlineAt: now + 86_400_000,
      },
      () => null,
    );
    if (created.kind !== 'created') throw new Error(`a run could not be made: ${created.kind}`);
    const { id, messageId } = created.run;
    const { run } = await ledger.claimRun(tenant, id, { owner: 'bench', now, leaseUntil: now + HELD_MS });
    return { messageId, fence: run.fence };
  };
  const messages = [];
  for (let i = 0; i < count; i += 1) messages.push(await create());
  return messages;
}
