import { describe, expect, test } from 'vitest';
import { type Hop, nextHop, parseUrl } from './hops.js';

const hop = (changes: Partial<Hop> = {}): Hop => ({
  url: new URL('https://a.example/one?x=1'),
  method: 'POST',
  headers: {
    authorization: 'Bearer t',
    cookie: 'c=1',
    'x-api-key': 'k',
    accept: '*/*',
    'content-type': 'text/plain',
  },
  body: 'text',
  ...changes,
});

describe('a redirect', () => {
  test.each([301, 302, 303])('%i makes a GET without a body of a POST', (status) => {
    expect(nextHop(hop(), status, '/two')).toEqual({
      url: new URL('https://a.example/two'),
      method: 'GET',
      headers: { authorization: 'Bearer t', cookie: 'c=1', 'x-api-key': 'k', accept: '*/*' },
      body: null,
    });
  });

  test.each([307, 308])('%i keeps method and body at the same origin', (status) => {
    expect(nextHop(hop(), status, 'two')).toMatchObject({ method: 'POST', body: 'text' });
  });

  test('301 keeps a PUT, 303 does not', () => {
    expect(nextHop(hop({ method: 'PUT' }), 301, '/two')).toMatchObject({ method: 'PUT', body: 'text' });
    expect(nextHop(hop({ method: 'PUT' }), 303, '/two')).toMatchObject({ method: 'GET', body: null });
  });

  test.each(['https://b.example/', 'https://a.example:8443/', '//b.example/'])(
    'to another origin (%s) loses every header that could be a credential',
    (location) => {
      const next = nextHop(hop({ method: 'GET', body: null }), 302, location);
      expect(next?.headers).toEqual({ accept: '*/*' });
    },
  );

  test('never takes a body to another origin', () => {
    expect(() => nextHop(hop(), 307, 'https://b.example/')).toThrow('with a body to another host');
  });

  test.each([
    ['from https to http', 'http://a.example/'],
    ['to another scheme', 'file:///etc/passwd'],
    ['with a password in it', 'https://u:p@a.example/'],
    ['to an address that is written as one number', 'https://2130706433/'],
    ['to no URL', 'https://'],
  ])('%s is refused', (_what, location) => {
    expect(() => nextHop(hop(), 302, location)).toThrow(expect.objectContaining({ code: 'bad_redirect' }));
  });

  test('to nowhere is refused', () => {
    expect(() => nextHop(hop(), 302, undefined)).toThrow('without saying where');
  });

  test.each([200, 300, 304, 404])('%i is none', (status) => {
    expect(nextHop(hop(), status, '/two')).toBeNull();
  });
});

describe('a URL', () => {
  test.each([
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0x08080808/',
    'http://１２７.0.0.1/',
  ])('whose address is written in an unusual way is refused: %s', (url) =>
    expect(() => parseUrl(url)).toThrow('unusual way'),
  );

  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://a.example/',
    '//a.example/',
    'a.example',
    'http://u@a.example/',
    'http://[fe80::1%25eth0]/',
    `http://a.example/${'x'.repeat(9000)}`,
  ])('that no tool has to call is refused: %s', (url) =>
    expect(() => parseUrl(url)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );

  test('loses its fragment', () => expect(parseUrl('http://a.example/x#y').href).toBe('http://a.example/x'));
});
