import { expect } from 'vitest';
import type { Case } from './on-plinth.js';

/** A run that waits is about to be answered: waits until it has parked, and removes its snapshot where that is tried. */
export type BeforeAnswer = (run: { runId: string; messageId: string }) => Promise<void>;

export type Variant = 'snapshot present' | 'snapshot deleted';

/**
 * Plays the same conversation twice: once with the snapshot that each wait left, once with it deleted before
 * each answer. What the model is sent must be the same, byte for byte. Counted as well: that the state came from where
 * the variant says.
 *
 * @param same replaces what may differ between two conversations (the time of day, say) and nothing else
 * @param resumes false when what answers the wait does not make the run go on
 */
export async function playTwice(
  current: Case,
  play: (beforeAnswer: BeforeAnswer, variant: Variant) => Promise<void>,
  { same = (body) => body, resumes = true }: { same?: (body: string) => string; resumes?: boolean } = {},
): Promise<void> {
  const sent = new Map<Variant, string[]>();
  for (const variant of ['snapshot present', 'snapshot deleted'] as const) {
    const { plinth, parked, dropSnapshot } = current;
    current.countRequests();
    const before = plinth.sim.requests.length;
    const rebuilds = await plinth.metric('plinth_resume_total', { source: 'rebuild' });
    let answers = 0;
    await play(async (run) => {
      answers += 1;
      await parked(run);
      if (variant === 'snapshot deleted') await dropSnapshot(run.runId);
    }, variant);
    const rebuilt = (await plinth.metric('plinth_resume_total', { source: 'rebuild' })) - rebuilds;
    expect(rebuilt, `resumes without a snapshot, ${variant}`).toBe(
      resumes && variant === 'snapshot deleted' ? answers : 0,
    );
    sent.set(
      variant,
      plinth.sim.requests.slice(before).map(({ raw }) => same(raw)),
    );
  }
  expect(sent.get('snapshot deleted')).toEqual(sent.get('snapshot present'));
}
