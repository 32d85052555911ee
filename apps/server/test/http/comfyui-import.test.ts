import { type ComfyUiSim, startComfyUiSim } from '@plinth/comfyui-sim';
import type { JsonObject, Problem } from '@plinth/protocol';
import { newApiKey } from '@plinth/testkit/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth();
let host: ComfyUiSim;
beforeAll(async () => {
  host = await startComfyUiSim();
});
afterAll(() => host?.close());

const WORKFLOW: JsonObject = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      model: ['4', 0],
      seed: 7,
      steps: 4,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      positive: ['6', 0],
      negative: ['6', 0],
      latent_image: ['5', 0],
      denoise: 1,
    },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sim-v1.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'tea', clip: ['4', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'tea' } },
};

const request = (more: JsonObject = {}): JsonObject => ({
  key: 'paint',
  title: 'Paint',
  description: 'Paints a picture.',
  hosts: [host.url],
  workflow: WORKFLOW,
  inputs: [
    { parameter: 'subject', node: '6', input: 'text', description: 'What is in the picture.' },
    { parameter: 'width', node: '5', input: 'width', required: false },
    { parameter: 'sampler', node: '3', input: 'sampler_name', required: false },
  ],
  outputs: [{ node: '9' }],
  seed: { targets: [{ node: '3', input: 'seed' }], parameter: 'seed' },
  ...more,
});

const publish = (body: JsonObject, client = plinth().backend) =>
  client.raw('POST', '/v1/tools/import/comfyui', body);
const errorsOf = async (more: JsonObject) => {
  const { status, body } = await publish(request(more));
  expect(status).toBe(400);
  return (body as Problem).errors ?? [];
};

it('a workflow becomes a tool whose arguments have the types and limits of its nodes', async () => {
  const { status, body } = await publish(request());
  expect(status).toBe(200);
  expect(body).toMatchObject({
    key: 'paint',
    version: 1,
    changed: true,
    checkedAgainst: host.url,
    warnings: [],
  });
  const { tool } = body as { tool: { parameters: JsonObject } };
  expect(tool.parameters).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['subject'],
    properties: {
      subject: { type: 'string', description: 'What is in the picture.' },
      width: { type: 'integer', minimum: 16, maximum: 16384, default: 64 },
      sampler: { type: 'string', enum: expect.arrayContaining(['euler', 'heun']), default: 'euler' },
      seed: expect.objectContaining({ type: 'integer', minimum: 0 }),
    },
  });
  expect((await publish(request())).body).toMatchObject({ version: 1, changed: false });
});

it('a host that does not answer leaves a warning, and types from the workflow itself', async () => {
  await host.die();
  const { status, body } = await publish(request({ key: 'paint-blind' }));
  await host.revive();
  expect(status).toBe(200);
  expect(body).toMatchObject({ checkedAgainst: null, warnings: [expect.stringMatching(/No host answered/)] });
  const { tool } = body as { tool: { parameters: { properties: JsonObject } } };
  expect(tool.parameters.properties).toMatchObject({ width: { type: 'number', default: 64 } });
});

it('a seed that stays in every call is warned of', async () => {
  const { seed: _seed, ...without } = request({ key: 'paint-same' });
  expect((await publish(without)).body).toMatchObject({
    warnings: [expect.stringMatching(/Node 3 keeps its seed 7/)],
  });
});

it('the format of the editor is refused with what to do', async () => {
  expect(await errorsOf({ workflow: { nodes: [], links: [], version: 0.4 } })).toEqual([
    { path: 'workflow', message: expect.stringContaining('Export (API)') },
  ]);
});

it.each<[string, JsonObject, string, RegExp]>([
  [
    'a node that the host lacks',
    { workflow: { ...WORKFLOW, '10': { class_type: 'FancyNode', inputs: {} } } },
    'workflow.10.class_type',
    /has no node "FancyNode"/,
  ],
  ['an output that is none', { outputs: [{ node: '8' }] }, 'outputs.0.node', /those of the workflow are 9/],
  [
    'a mapping to nowhere',
    { inputs: [{ parameter: 'a', node: '6', input: 'prompt' }] },
    'inputs.0.input',
    /its inputs are text, clip/,
  ],
  ['a host name that is not configured', { hosts: ['gpu-9'] }, 'hosts.0', /comfyui\.hosts/],
])('%s is refused with its field', async (_what, more, path, message) => {
  expect(await errorsOf(more)).toContainEqual({ path, message: expect.stringMatching(message) });
});

it('only a key of the administration may publish', async () => {
  const session = await plinth().session();
  expect((await publish(request(), session)).status).toBe(403);
});

it("another tenant's tool of the same key is another tool, and its host names are its own", async () => {
  await publish(request());
  const globex = await plinth().addBusiness({ key: `globex-${newApiKey().slice(4, 12)}`, tools: [] });
  expect((await publish(request({ title: 'Theirs' }), globex)).body).toMatchObject({
    version: 1,
    changed: true,
  });
  expect((await publish(request())).body).toMatchObject({ version: 1, changed: false });
});
