import { Client } from '@stable-canvas/comfyui-client';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ComfyUiSim, startComfyUiSim } from './server/start-comfyui-sim.js';
import { textToImage } from './workflows.test-support.js';

/** A published client, which was written for the real host, gets along with this one. */
let sim: ComfyUiSim;
let client: Client;

beforeEach(async () => {
  sim = await startComfyUiSim();
  client = new Client({ api_host: new URL(sim.url).host, clientId: 'its-own-id', WebSocket, fetch });
});
afterEach(async () => {
  client.close();
  await sim.close();
});

async function connect(): Promise<void> {
  void client.connect();
  await expect.poll(() => sim.hasClient('its-own-id')).toBe(true);
}

async function sizeOf(image: unknown): Promise<{ format: string; width: number; height: number }> {
  const { data: url } = image as { data: string };
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

it('it queues a workflow, hears its progress over the WebSocket and reads the picture', async () => {
  await connect();
  const heard: number[] = [];
  const output = await client.enqueue(textToImage() as never, {
    progress: ({ value, max }) => heard.push(value / max),
  });
  // It begins to listen once it has the answer; the first steps may be over by then.
  expect([0.25, 0.5, 0.75, 1].slice(-heard.length)).toEqual(heard);
  expect(heard.at(-1)).toBe(1);
  // It counts a preview among the pictures.
  const saved = output.images.filter(({ type }) => type === 'url');
  expect(saved).toHaveLength(1);
  expect(await sizeOf(saved[0])).toEqual({ format: 'png', width: 64, height: 48 });
});

it('it gets the same by polling, without a WebSocket', async () => {
  const output = await client.enqueue_polling(textToImage() as never);
  expect(await sizeOf(output.images[0])).toEqual({ format: 'png', width: 64, height: 48 });
});

it('it reads the nodes, the queue and what the machine is', async () => {
  expect(await client.getSamplers()).toContain('euler');
  expect(await client.getSDModels()).toContain('sim-v1.safetensors');
  expect(await client.getQueue()).toMatchObject({ Running: [], Pending: [] });
  expect((await client.getSystemStats()).devices).toHaveLength(1);
});

it('it is told which input of which node is wrong', async () => {
  const prompt = textToImage();
  const sampler = prompt['3'];
  if (sampler) sampler.inputs.sampler_name = 'nonsense';
  await expect(client._enqueue_prompt(prompt as never)).rejects.toThrow();
  const { status, body } = await post('/prompt', { prompt });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { type: 'prompt_outputs_failed_validation' },
    node_errors: {
      '3': {
        class_type: 'KSampler',
        dependent_outputs: ['9'],
        errors: [
          {
            type: 'value_not_in_list',
            extra_info: { input_name: 'sampler_name', received_value: 'nonsense' },
          },
        ],
      },
    },
  });
});

it('it interrupts what runs, and hears so', async () => {
  await connect();
  sim.hold();
  const { prompt_id } = await client._enqueue_prompt(textToImage() as never);
  const told = new Promise((resolve) => client.on('execution_interrupted', resolve));
  await expect.poll(async () => (await client.getPromptStatus(prompt_id)).running).toBe(true);
  await client.interrupt();
  expect(await told).toMatchObject({ prompt_id, node_id: '3', node_type: 'KSampler' });
  expect(await client.getPromptStatus(prompt_id)).toMatchObject({ running: false, done: true });
});

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${sim.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
