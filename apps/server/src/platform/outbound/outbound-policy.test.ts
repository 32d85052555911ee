import { allowEntry } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { AllowList } from './allow-list.js';
import { OutboundPolicy } from './outbound-policy.js';

const policyOf = (lists: { operator?: string[]; tenant?: string[]; tenantMay?: string[] }) =>
  new OutboundPolicy({
    operator: new AllowList(lists.operator ?? []),
    tenant: new AllowList(lists.tenant ?? []),
    tenantMay: new AllowList(lists.tenantMay ?? []),
  });
const internal = { host: 'jobs.internal', port: 9000, address: '10.1.2.3' };
const elsewhere = { host: 'api.example', port: 443, address: '93.184.215.14' };

describe('the outbound policy', () => {
  test('without any list public addresses are reached on the ports of HTTP, and nothing else is', () => {
    const policy = OutboundPolicy.allowing();
    expect(policy.refusal(elsewhere)).toBeNull();
    expect(policy.refusal({ ...elsewhere, port: 22 })).toContain('port 22');
    expect(policy.refusal(internal)).toContain('not on the public internet');
    expect(policy.refusal(internal)).not.toContain('10.1');
  });

  test('what the operator allows, every tenant reaches', () => {
    for (const entry of ['jobs.internal', 'jobs.internal:9000', '10.1.0.0/16', '10.1.2.3', '10.1.2.3:9000'])
      expect(policyOf({ operator: [entry] }).refusal(internal)).toBeNull();
  });

  test('a tenant cannot open the network of the operator by itself', () => {
    expect(policyOf({ tenant: ['jobs.internal', '10.0.0.0/8'] }).refusal(internal)).not.toBeNull();
  });

  test('a tenant opens for itself what the operator lets tenants open, and only when it says so', () => {
    const tenantMay = ['10.1.0.0/16'];
    expect(policyOf({ tenantMay }).refusal(internal)).not.toBeNull();
    expect(policyOf({ tenantMay, tenant: ['jobs.internal:9000'] }).refusal(internal)).toBeNull();
    const rebound = { ...internal, address: '10.9.0.1' };
    expect(policyOf({ tenantMay, tenant: ['jobs.internal:9000'] }).refusal(rebound)).not.toBeNull();
  });

  test('a tenant opens another port of a public host by naming it', () => {
    const target = { ...elsewhere, port: 9443 };
    expect(policyOf({ tenant: ['api.example'] }).refusal(target)).not.toBeNull();
    expect(policyOf({ tenant: ['API.example:9443'] }).refusal(target)).toBeNull();
  });

  test('an entry covers its own port and host only, whatever the case and a dot at the end', () => {
    const policy = policyOf({ operator: ['jobs.internal:9000'] });
    expect(policy.refusal({ ...internal, host: 'JOBS.internal.' })).toBeNull();
    expect(policy.refusal({ ...internal, port: 9001 })).not.toBeNull();
    expect(policy.refusal({ ...internal, host: 'evil-jobs.internal' })).not.toBeNull();
  });

  test('a range of IPv4 does not cover IPv6 that carries one of its addresses', () => {
    const policy = policyOf({ operator: ['127.0.0.0/8', '[::1]:80'] });
    expect(
      policy.refusal({ host: '::ffff:127.0.0.1', port: 80, address: '::ffff:127.0.0.1' }),
    ).not.toBeNull();
    expect(policy.refusal({ host: '::1', port: 80, address: '::1' })).toBeNull();
  });
});

describe('an entry of an allow-list', () => {
  test.each([
    'a.example',
    'a',
    'a_b.internal:80',
    '10.0.0.1',
    '10.0.0.1:65535',
    '10.0.0.0/8',
    '[::1]',
    '[fd00::1]:80',
    'fd00::/8',
  ])('%s is one', (entry) => expect(allowEntry.safeParse(entry).success).toBe(true));

  test.each([
    '',
    '*',
    '*.example',
    'http://a.example',
    'a.example/path',
    'a..b',
    '10.0.0',
    '10.0.0.0/33',
    '::1',
    'a:0',
    'a:70000',
    '[::1',
    'a b',
  ])('%j is not', (entry) => expect(allowEntry.safeParse(entry).success).toBe(false));
});
