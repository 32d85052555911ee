import type { TenantId } from '@plinth/protocol';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Metrics } from './metrics.js';

it('what requests weigh and lose is told by tenant and endpoint', async () => {
  const metrics = new Metrics(pino({ level: 'silent' }));
  const [acme, bolt] = ['ten_acme', 'ten_bolt'] as TenantId[];
  if (!acme || !bolt) throw new Error('there are no tenants');
  metrics.requestSent(acme, { endpoint: 'gpt-4o', bytes: 5_000, tokens: 1_500 });
  metrics.requestSent(acme, { endpoint: 'gpt-4o', bytes: 2_000_000, tokens: 90_000 });
  metrics.requestSent(bolt, { endpoint: 'claude', bytes: 10, tokens: 3 });
  metrics.contextCut(acme, { endpoint: 'gpt-4o', kind: 'images_lowered' });
  metrics.contextCut(acme, { endpoint: 'gpt-4o', kind: 'images_lowered' });
  metrics.requestReplaced(bolt, { endpoint: 'claude', why: 'images_unfetched' });
  metrics.contextUnfit(bolt, { endpoint: 'claude', code: 'context_overflow' });
  const page = await metrics.registry.metrics();
  for (const line of [
    'plinth_model_request_bytes_bucket{le="16384",tenant="ten_acme",endpoint="gpt-4o"} 1',
    'plinth_model_request_bytes_sum{tenant="ten_acme",endpoint="gpt-4o"} 2005000',
    'plinth_model_request_tokens_count{tenant="ten_acme",endpoint="gpt-4o"} 2',
    'plinth_model_request_tokens_sum{tenant="ten_bolt",endpoint="claude"} 3',
    'plinth_context_cuts_total{tenant="ten_acme",endpoint="gpt-4o",kind="images_lowered"} 2',
    'plinth_model_requests_replaced_total{tenant="ten_bolt",endpoint="claude",why="images_unfetched"} 1',
    'plinth_context_unfit_total{tenant="ten_bolt",endpoint="claude",code="context_overflow"} 1',
  ])
    expect(page).toContain(line);
});
