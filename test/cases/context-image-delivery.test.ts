import type { JsonObject } from '@plinth/protocol';
import { photo, picturesIn, prefixShare, startWith, uploadFile } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { type AgentRequest, playAgent } from './support/agent-requests.js';
import { onEveryTopology } from './support/on-plinth.js';

const byAddress: JsonObject = { model: { name: 'gpt-4o' }, context: { endpoint: { imageDelivery: 'url' } } };
/** Nobody listens there: what a provider sees of a server inside somebody's network. */
const OUT_OF_REACH = 'http://127.0.0.1:9';
const THRESHOLD_BYTES = 400_000;

const addressesIn = ({ messages }: AgentRequest): string[] =>
  messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap(({ image_url }) => (image_url?.url.startsWith('http') ? [image_url.url] : []))
      : [],
  );
const nameIn = (url: string) => /\/([0-9a-f]{64})\.\w+\?/.exec(url)?.[1];

onEveryTopology(
  'pictures by signed address',
  () => [],
  (use) => {
    it('the provider fetches exactly the bytes that would stand in the body, from the same addresses in every turn', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('openai', { fetchImages: true });
      const watched = playAgent(plinth.sim, [{ text: 'It is tea, and it is green. '.repeat(30) }]);
      const ada = await plinth.session();
      const pictures = [photo(900_000, 1), photo(700_000, 2)];
      let threadId: string | undefined;
      for (let turn = 0; turn < 4; turn += 1) {
        const bytes = pictures[turn];
        const attachments = bytes ? [{ uploadId: (await uploadFile(ada, bytes, `${turn}.png`)).id }] : [];
        const run = await startWith(ada, `Turn ${turn}. What is it?`, attachments, threadId);
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      }
      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(requests.map((request) => picturesIn(request).length)).toEqual([0, 0, 0, 0]);
      const addresses = requests.map(addressesIn);
      const [first, both, ...later] = addresses;
      expect(addresses.map(({ length }) => length)).toEqual([1, 2, 2, 2]);
      expect(both?.slice(0, 1)).toEqual(first);
      for (const same of later) expect(same).toEqual(both);
      for (const [index, request] of requests.slice(1).entries())
        expect(prefixShare(requests[index] ?? request, request)).toBeGreaterThanOrEqual(0.95);

      // As they stand in the body of a request to an endpoint that is sent them inside.
      await plinth.backend.call('PUT', '/v1/agents/inside', {
        name: 'Inside',
        instructions: 'You are the agent of a test.',
        config: { context: { endpoint: { imageDelivery: 'inline' } } },
      });
      const inside = playAgent(plinth.sim, [{ text: 'Tea.' }]);
      const last = await ada.start('And inside?', { agent: 'inside', threadId: threadId ?? '' });
      expect(await ada.ended(last.messageId, 60_000)).toMatchObject({ status: 'completed' });
      const [request] = inside.agent();
      const shown = request ? picturesIn(request).map(({ sha256 }) => sha256) : [];
      expect(shown).toHaveLength(2);
      expect(shown).toEqual(both?.map(nameIn));
      for (const one of watched.agent())
        expect(one.fetchedImages.map(({ url, sha256 }) => [url, sha256])).toEqual(
          addressesIn(one).map((url) => [url, nameIn(url)]),
        );
    });

    it('an address opens nothing when anything of it is changed, nor does that of another tenant', async () => {
      const { plinth } = use();
      const bolt = await plinth.addBusiness({ key: 'bolt', tools: [], config: byAddress });
      const picture = photo(300_000, 3);
      const addressOf = async (backend: typeof bolt): Promise<URL> => {
        plinth.sim.setPersona('openai', { fetchImages: true });
        const watched = playAgent(plinth.sim, [{ text: 'Tea.' }]);
        const { token } = await backend.call<{ token: string }>('POST', '/v1/session-tokens', {
          endUserId: 'ada',
          ttlSeconds: 600,
        });
        const ada = plinth.as(token);
        const run = await startWith(ada, 'What is it?', [
          { uploadId: (await uploadFile(ada, picture, 'tea.png')).id },
        ]);
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
        return new URL(watched.agent().flatMap(addressesIn)[0] ?? '');
      };
      const [ours, theirs] = [await addressOf(plinth.backend), await addressOf(bolt)];
      // The same bytes under the same name: who may read them is in the signature alone.
      expect(theirs.pathname).toBe(ours.pathname);
      expect((await fetch(ours)).status).toBe(200);
      const changed = (name: string, value: string) => {
        const url = new URL(ours);
        url.searchParams.set(name, value);
        return url;
      };
      const forged = [
        changed('signature', theirs.searchParams.get('signature') ?? ''),
        changed('signature', 'x'.repeat(43)),
        changed('tenant', theirs.searchParams.get('tenant') ?? ''),
        changed('expires', String(Number(ours.searchParams.get('expires')) + 3600)),
        new URL(ours.pathname, ours),
        new URL(ours.href.replace(/\/[0-9a-f]{8}/, '/00000000')),
      ];
      for (const url of forged) {
        const response = await fetch(url);
        expect([url.search, response.status]).toEqual([url.search, 403]);
        expect(await response.json()).toMatchObject({ code: 'forbidden' });
      }
    });
  },
  { config: byAddress },
);

onEveryTopology(
  'pictures whose address the provider cannot reach',
  () => [],
  (use) => {
    it.each(['openai', 'anthropic', 'gemini'] as const)(
      '%s says so: they are sent once more, inside and within the account of bytes, and from then on in this thread',
      async (persona) => {
        const { plinth } = use();
        plinth.sim.setPersona(persona, { fetchImages: true });
        const watched = playAgent(plinth.sim, [{ text: 'Tea.' }]);
        const ada = await plinth.session();
        const uploads = await Promise.all(
          [1, 2, 3].map((seed) => uploadFile(ada, photo(2_000_000, seed), `${seed}.png`)),
        );
        const attachments = uploads.map(({ id }) => ({ uploadId: id }));
        const run = await startWith(ada, 'What are they?', attachments);
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
        const next = await ada.start('And now?', { threadId: run.threadId });
        expect(await ada.ended(next.messageId, 60_000)).toMatchObject({ status: 'completed' });

        const requests = watched.agent();
        expect(requests.map(({ status }) => status)).toEqual([400, 200, 200]);
        expect(requests.map((request) => addressesIn(request).length)).toEqual([3, 0, 0]);
        expect(requests.map((request) => picturesIn(request).length)).toEqual([0, 3, 3]);
        for (const { sizeBytes } of requests) expect(sizeBytes).toBeLessThan(THRESHOLD_BYTES);
        expect(new Set(requests.map(({ digest }) => digest)).size).toBe(3);
      },
    );
  },
  {
    config: { ...byAddress, context: { bodyBytes: THRESHOLD_BYTES, endpoint: { imageDelivery: 'url' } } },
    environment: { PLINTH_PUBLIC_URL: OUT_OF_REACH },
  },
);
