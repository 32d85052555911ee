import { type InterruptId, PlinthError, type TenantId } from '@plinth/protocol';
import type { DoorPorts } from '../runs/door-ports.js';
import { answerFromOutside } from './answer-interrupt.js';

/**
 * Closes an open wait whose time has passed, by the one door for answers. Does nothing to any other, so it may be called
 * at any time and any number of times.
 */
export async function expireInterrupt(
  ports: DoorPorts,
  tenant: TenantId,
  interruptId: InterruptId,
): Promise<void> {
  const found = await ports.ledger.findInterrupt(tenant, { endUserId: null }, interruptId);
  if (found?.interrupt.state !== 'open') return;
  const { expiresAt } = found.interrupt;
  if (expiresAt === null || expiresAt > ports.clock.now()) return;
  const by = { kind: 'platform', id: 'expiry' } as const;
  const given = { requestId: `expiry:${interruptId}`, answer: { type: 'expired' }, by } as const;
  try {
    await answerFromOutside(ports, tenant, interruptId, given);
  } catch (error) {
    // An answer came first, which is as it should be.
    if (!PlinthError.isInstance(error)) throw error;
  }
}
