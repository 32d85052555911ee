import { expect, it } from 'vitest';
import { RequestSignatures } from './signature.js';

const request = { method: 'POST', url: '/playground/api/plinth/v1/runs', body: '{}' };
const NOW = 1_700_000_000_000;
const signatures = new RequestSignatures(() => NOW);
const signed = (at = NOW) => {
  const signedAt = String(at);
  return { signedAt, signature: signatures.sign('ada', signedAt, request) };
};

it('what the visitor signed is taken, and nothing that differs from it in any part', () => {
  expect(signatures.verify('ada', signed(), request)).toBe('valid');
  for (const other of [{ method: 'PUT' }, { url: `${request.url}?a=1` }, { body: '{ }' }])
    expect(signatures.verify('ada', signed(), { ...request, ...other })).toBe('forged');
  expect(signatures.verify('eve', signed(), request)).toBe('forged');
});

it('a call without a signature, with an old one or one of the future is refused', () => {
  expect(signatures.verify('ada', { signedAt: undefined, signature: undefined }, request)).toBe('unsigned');
  for (const at of [NOW - 60_001, NOW + 60_001, Number.NaN])
    expect(signatures.verify('ada', signed(at), request)).toBe('expired');
});
