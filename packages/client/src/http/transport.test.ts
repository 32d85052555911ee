import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTransport } from './transport.js';

afterEach(() => vi.unstubAllGlobals());

/** A server that accepts one token. */
function serve(valid: () => string) {
  const sent: (string | null)[] = [];
  const fetch = vi.fn(async (_url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization');
    sent.push(token);
    return new Response(null, { status: token === `Bearer ${valid()}` ? 200 : 401 });
  });
  vi.stubGlobal('fetch', fetch);
  return { fetch, sent };
}

describe('the bearer token', () => {
  it('is asked for once and kept', async () => {
    const { sent } = serve(() => 'a');
    const auth = vi.fn(() => 'a');
    const transport = createTransport({ baseUrl: '', auth });
    await Promise.all([transport('/1', {}), transport('/2', {})]);
    await transport('/3', {});
    expect(auth).toHaveBeenCalledTimes(1);
    expect(sent).toEqual(['Bearer a', 'Bearer a', 'Bearer a']);
  });

  it('refused to many calls at once is refreshed once, and each call is repeated once', async () => {
    const { sent } = serve(() => 'b');
    const auth = vi.fn(async ({ refresh }: { refresh: boolean }) => (refresh ? 'b' : 'a'));
    const transport = createTransport({ baseUrl: '', auth });
    const responses = await Promise.all(['/1', '/2', '/3'].map((path) => transport(path, {})));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(auth.mock.calls.map(([options]) => options.refresh)).toEqual([false, true]);
    expect(sent).toHaveLength(6);
  });

  it('a call that was refused with an old token takes the one that another has fetched meanwhile', async () => {
    let valid = 'a';
    const { fetch } = serve(() => valid);
    const auth = vi.fn(({ refresh }: { refresh: boolean }) => (refresh ? 'b' : 'a'));
    const transport = createTransport({ baseUrl: '', auth });
    await transport('/1', {});
    valid = 'b';
    let answerLate: (response: Response) => void = () => undefined;
    fetch.mockImplementationOnce(() => new Promise((resolve) => (answerLate = resolve)));
    const late = transport('/late', {});
    await transport('/2', {});
    answerLate(new Response(null, { status: 401 }));
    expect((await late).status).toBe(200);
    expect(auth).toHaveBeenCalledTimes(2);
  });

  it('that is refused again is not refreshed again', async () => {
    serve(() => 'never');
    const auth = vi.fn(() => 'a');
    expect((await createTransport({ baseUrl: '', auth })('/1', {})).status).toBe(401);
    expect(auth).toHaveBeenCalledTimes(2);
  });

  it('that the host fails to give is a typed error, and is asked for again next time', async () => {
    serve(() => 'a');
    const auth = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValue('a');
    const transport = createTransport({ baseUrl: '', auth });
    await expect(transport('/1', {})).rejects.toMatchObject({ code: 'auth_failed', retryable: true });
    expect((await transport('/1', {})).status).toBe(200);
  });
});

describe('a whole URL that the API has given', () => {
  it('is asked as it is, and does not get to know the token', async () => {
    const { fetch, sent } = serve(() => 'a');
    await createTransport({ baseUrl: 'https://api.example.com', auth: () => 'a' })(
      'https://files.example/x',
      {},
    );
    expect([fetch.mock.calls[0]?.[0], sent]).toEqual(['https://files.example/x', [null]]);
  });

  it("goes through the host's own request like everything else", async () => {
    const request = vi.fn(async () => new Response(null));
    await createTransport({ baseUrl: 'https://api.example.com', request })('https://files.example/x', {});
    expect(request.mock.calls).toEqual([['https://files.example/x', {}]]);
  });
});

describe('the request seam', () => {
  it('gets every call with its whole URL and replaces auth', async () => {
    const request = vi.fn(async () => new Response(null, { status: 401 }));
    const auth = vi.fn(() => 'a');
    await createTransport({ baseUrl: 'https://api.example.com/plinth/', request, auth })('/v1/threads', {
      method: 'POST',
    });
    expect(request.mock.calls).toEqual([['https://api.example.com/plinth/v1/threads', { method: 'POST' }]]);
    expect(auth).not.toHaveBeenCalled();
  });

  it('that throws is a network error, and an aborted call says so', async () => {
    const request = async () => Promise.reject(new TypeError('fetch failed'));
    const transport = createTransport({ baseUrl: '', request });
    await expect(transport('/1', {})).rejects.toMatchObject({ code: 'network', status: 0 });
    await expect(transport('/1', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});
