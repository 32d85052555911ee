import { type AdvancePorts, RunAdvancer } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { Life, mortal } from './mortal.js';

export const LEASE = { leaseMs: 15_000, renewMs: 5_000 };

/** One worker process: an advancer over ports that stop with it. */
export class EngineWorker {
  readonly life = new Life();
  readonly stop = new AbortController();
  private readonly advancer: RunAdvancer;

  constructor(
    ports: AdvancePorts,
    owner: string,
    private readonly tenant: TenantId,
  ) {
    const { life } = this;
    const own: AdvancePorts = {
      ...ports,
      ledger: mortal(
        ports.ledger,
        life,
        ['claimRun', 'transact'],
        ['renewLease', 'loadRun', 'loadTail', 'findInterrupt'],
      ),
      writer: mortal(ports.writer, life, ['drain', 'publish', 'delta']),
      log: mortal(ports.log, life, ['setFence', 'keepFor']),
      snapshots: mortal(ports.snapshots, life, ['write', 'keepFor'], ['read']),
      gateway: mortal(ports.gateway, life, [], ['stream']),
      images: mortal(ports.images, life, [], ['variant', 'bytes']),
      executor: mortal(ports.executor, life, [], ['execute', 'cancel']),
      scheduler: mortal(
        ports.scheduler,
        life,
        [],
        ['wake', 'wakeAgain', 'nudge', 'expireAt', 'forgetExpiry'],
      ),
      limiter: mortal(ports.limiter, life, [], ['take']),
      cache: mortal(ports.cache, life, ['put'], ['get']),
      approvals: mortal(ports.approvals, life, [], ['remembered']),
      clock: mortal(ports.clock, life, [], ['wait']),
    };
    this.advancer = new RunAdvancer(own, { owner, lease: LEASE });
  }

  /** Works on the run until the advancer lets it go, or the process is dead. */
  async advance(runId: RunId): Promise<void> {
    if (this.life.dead) throw new Error('a dead process works no more');
    await Promise.race([this.advancer.advance(this.tenant, runId, this.stop.signal), this.life.died]);
  }
}
