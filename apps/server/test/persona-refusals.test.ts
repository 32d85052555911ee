import { createHash } from 'node:crypto';
import type { ModelError, OverflowKind } from '@plinth/engine';
import { KNOWN_FAULTS, type ModelSim, type PersonaName, startModelSim, type Walls } from '@plinth/model-sim';
import type { TenantId } from '@plinth/protocol';
import { photo } from '@plinth/testkit/system';
import { afterEach, describe, expect, test } from 'vitest';
import { OpenAiGateway } from '../src/models/openai-gateway.js';
import { systemClock } from '../src/platform/system-clock.js';

const acme = 'ten_acme' as TenantId;
const SILENT = { onText: () => {}, onReasoning: () => {}, onUsage: () => {} };

let sim: ModelSim | undefined;
afterEach(() => sim?.close());

/** How the endpoint's refusal of a request with these parts looks to the engine. */
async function refusalOf(content: object[], running: ModelSim): Promise<ModelError> {
  sim = running;
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] });
  const request = { body, digest: createHash('sha256').update(body).digest('hex'), timeoutMs: 60_000 };
  const gateway = new OpenAiGateway({ apiKey: 'k', baseUrl: sim.url }, systemClock);
  try {
    return await gateway.stream(acme, request, SILENT, new AbortController().signal).then(
      () => Promise.reject(new Error('it was answered')),
      (error: ModelError) => error,
    );
  } finally {
    await gateway.close();
  }
}

const text = (characters: number) => ({ type: 'text', text: 'x'.repeat(characters) });
const picture = (bytes: number, seed = 1) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${photo(bytes, seed).toString('base64')}` },
});
const broken = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

type Refused = [PersonaName, string, OverflowKind, Partial<Walls>, object[]];
const REFUSED: Refused[] = [
  ['openai', 'tokens', 'tokens', { windowTokens: 1000 }, [text(8000)]],
  ['openai', 'number of pictures', 'image_count', { maxImages: 1 }, [picture(900), picture(900, 2)]],
  ['openai', 'one picture', 'image_bytes', { imageBytes: 20_000 }, [picture(40_000)]],
  ['openai', 'all pictures', 'images_total', { imagesTotalBytes: 20_000 }, [picture(40_000)]],
  ['openai', 'body', 'body_bytes', { bodyBytes: 20_000 }, [text(40_000)]],
  ['openai', 'a broken picture', 'image_rejected', {}, [broken]],
  ['anthropic', 'tokens', 'tokens', { windowTokens: 1000 }, [text(8000)]],
  ['anthropic', 'number of pictures', 'image_count', { maxImages: 1 }, [picture(900), picture(900, 2)]],
  ['anthropic', 'one picture', 'image_bytes', { imageBytes: 20_000 }, [picture(40_000)]],
  ['anthropic', 'side', 'image_side', { imageSide: 50 }, [picture(40_000)]],
  ['anthropic', 'body', 'body_bytes', { bodyBytes: 20_000 }, [text(40_000)]],
  ['anthropic', 'a broken picture', 'image_rejected', {}, [broken]],
  ['gemini', 'tokens', 'tokens', { windowTokens: 1000 }, [text(8000)]],
  ['gemini', 'number of pictures', 'image_count', { maxImages: 1 }, [picture(900), picture(900, 2)]],
  ['gemini', 'body', 'body_bytes', { bodyBytes: 20_000 }, [text(40_000)]],
  ['gemini', 'a broken picture', 'image_rejected', {}, [broken]],
  ['strict-gateway', 'body', 'body_bytes', { bodyBytes: 20_000 }, [text(40_000)]],
  ['strict-gateway-json', 'body', 'body_bytes', { bodyBytes: 20_000 }, [text(40_000)]],
];

describe('a refusal of what is too large is known as one, and of what', () => {
  test.each(REFUSED)('%s: %s', async (persona, _what, kind, walls, content) => {
    const refusal = await refusalOf(content, await startModelSim({ persona, walls }));
    expect(refusal).toMatchObject({ kind: 'context_overflow', retryable: false, overflow: { kind } });
  });

  test.each(['openai', 'anthropic', 'gemini'] as const)(
    '%s: a picture that could not be fetched, told without the signature of its address',
    async (persona) => {
      const url = 'http://127.0.0.1:9/v1/images/a/b.png?tenant=ten_a&expires=1&signature=S3cr3t-x_y';
      const running = await startModelSim({ persona, fetchImages: true });
      const refusal = await refusalOf([{ type: 'image_url', image_url: { url } }], running);
      expect(refusal).toMatchObject({ kind: 'images_unfetched', retryable: false, overflow: null });
      expect(refusal.message).not.toContain('S3cr3t');
    },
  );

  test.each(['throttled', 'quotaExhausted'] as const)('%s is none', async (fault) => {
    const running = await startModelSim();
    running.injectFaults([{ when: 'next', fault: KNOWN_FAULTS[fault] }]);
    expect(await refusalOf([text(10)], running)).toMatchObject({ kind: 'throttled', overflow: null });
  });
});
