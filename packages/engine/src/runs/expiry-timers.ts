import type { TenantId } from '@plinth/protocol';
import type { Ledger, LockedRun, WhenActive } from './ledger.js';
import type { Decision, LedgerChange } from './ledger-change.js';
import { hasEnded } from './run-transitions.js';
import type { Scheduler } from './scheduler.js';

type Timers = Pick<Scheduler, 'expireAt' | 'forgetExpiry'>;

interface Committed {
  locked: LockedRun;
  changes: readonly LedgerChange[];
}

/** When the first of the waits has its time that are open after the commit. */
function firstExpiry({ locked, changes }: Committed): number {
  const opened = changes.flatMap((change) => (change.type === 'interrupt.open' ? [change.interrupt] : []));
  const closed = new Set(
    changes.flatMap((change) =>
      change.type === 'interrupt.update' && change.set.state !== undefined ? [change.interruptId] : [],
    ),
  );
  const open = [...locked.waits, ...opened].filter(({ id, state }) => state === 'open' && !closed.has(id));
  return Math.min(...open.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY));
}

/** What a committed change means for the timers: waits that open and close, runs that park and end. */
async function follow(timers: Timers, tenant: TenantId, all: Committed, change: LedgerChange): Promise<void> {
  const { run } = all.locked;
  switch (change.type) {
    case 'interrupt.open': {
      const { id, expiresAt } = change.interrupt;
      if (expiresAt !== null) await timers.expireAt(tenant, { kind: 'interrupt', id }, expiresAt);
      return;
    }
    case 'interrupt.update': {
      const what = { kind: 'interrupt', id: change.interruptId } as const;
      const { state = 'open', expiresAt = null } = change.set;
      const moves = state === 'open' && expiresAt !== null;
      if (state !== 'open' || moves) await timers.forgetExpiry(tenant, what);
      // A lease that is taken or renewed moves the time of its wait.
      if (moves) await timers.expireAt(tenant, what, expiresAt);
      return;
    }
    case 'run.update': {
      const { status } = change.set;
      const what = { kind: 'run', id: run.id } as const;
      // A wait that has its time before wakes the run, and it parks again.
      if (status === 'interrupted' && run.deadlineAt < firstExpiry(all))
        await timers.expireAt(tenant, what, run.deadlineAt);
      // One that no second worker ever took has never been parked.
      else if (status !== undefined && hasEnded(status) && (run.fence > 1 || run.status === 'interrupted'))
        await timers.forgetExpiry(tenant, what);
      return;
    }
  }
}

/**
 * The same ledger, with a timer for everything that has its time: whoever commits, the timers follow. After the commit and
 * never waited for: they only save the time until the next sweep. Nothing happens by a timer that the ledger does not
 * confirm when it fires.
 *
 * @param onError hears of a timer that could not be set
 */
export function withExpiryTimers(ledger: Ledger, timers: Timers, onError: (error: unknown) => void): Ledger {
  const after = (tenant: TenantId, committed: Committed | null) => {
    for (const change of committed?.changes ?? [])
      if (committed) void follow(timers, tenant, committed, change).catch(onError);
  };
  /** What `whenActive` decided of the run that was in the way. */
  const listening = (whenActive: WhenActive) => {
    const heard: { decided: Committed | null } = { decided: null };
    const ask: WhenActive = (active) => {
      const decision = whenActive(active);
      heard.decided = decision && { locked: active, changes: decision.changes };
      return decision;
    };
    return { ask, heard };
  };
  const timed: Pick<Ledger, 'transact' | 'createRun' | 'moveHead'> = {
    async transact(tenant, runId, decide) {
      let decided: Committed | null = null;
      const outcome = await ledger.transact(tenant, runId, (locked: LockedRun) => {
        const answer = decide(locked);
        const { changes }: Decision = answer.decision;
        decided = { locked, changes };
        return answer;
      });
      if (outcome) after(tenant, decided);
      return outcome;
    },
    async createRun(tenant, input, whenActive) {
      const { ask, heard } = listening(whenActive);
      const outcome = await ledger.createRun(tenant, input, ask);
      if (outcome.kind === 'created' && outcome.superseded) after(tenant, heard.decided);
      return outcome;
    },
    async moveHead(tenant, input, whenActive) {
      const { ask, heard } = listening(whenActive);
      const outcome = await ledger.moveHead(tenant, input, ask);
      if (outcome.kind === 'moved' && outcome.superseded) after(tenant, heard.decided);
      return outcome;
    },
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name in timed) return timed[name as keyof typeof timed];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
