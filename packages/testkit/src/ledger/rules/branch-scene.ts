import type { Run } from '@plinth/engine';
import type { MessageId, ThreadId } from '@plinth/protocol';
import { aTurn } from '../builders.js';
import { ALICE, nothingActive, type Scene } from '../scene.js';

/** Short names for what tests of branches do, as Alice unless they say otherwise. */
export class BranchScene {
  constructor(readonly s: Scene) {}

  /** A run that has answered and ended. */
  async exchange(text: string, threadId: ThreadId | null = null): Promise<Run> {
    const run = await this.s.runningRun({ text, threadId });
    const assistantRaw = JSON.stringify({ role: 'assistant', content: `answer to ${text}` });
    await this.s.write(run, [{ type: 'turn.append', turn: aTurn({ assistantRaw }) }]);
    await this.s.end(run);
    return run;
  }

  move(
    threadId: ThreadId,
    messageId: MessageId | null,
    fields: { viewer?: { endUserId: Run['endUserId'] } } = {},
  ) {
    const input = { viewer: { endUserId: ALICE }, threadId, messageId, now: this.s.clock.now(), ...fields };
    return this.s.ledger.moveHead(this.s.tenant, input, nothingActive);
  }

  /** The new thread's id with what became of it. */
  async fork(threadId: ThreadId, messageId: MessageId, viewer = { endUserId: ALICE }) {
    const { newThreadId, now } = this.s.newRun();
    const input = { viewer, threadId, messageId, newThreadId, title: null, now };
    return { id: newThreadId, outcome: await this.s.ledger.forkThread(this.s.tenant, input) };
  }

  /** Another answer to the question of this run. */
  retryOf(run: Run, threadId: ThreadId = run.threadId) {
    return this.s.newRun({ threadId, userMessageId: run.userMessageId, text: null });
  }

  async history(run: Run): Promise<string[]> {
    const { history } = (await this.s.ledger.loadRun(this.s.tenant, run.id)) ?? { history: [] };
    return history.map((message) => (JSON.parse(message) as { content: string }).content);
  }
}
