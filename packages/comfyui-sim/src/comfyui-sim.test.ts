import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Prompt } from './prompts/prompt.js';
import { type ComfyUiSim, startComfyUiSim } from './server/start-comfyui-sim.js';
import { textToImage, textToSound } from './workflows.test-support.js';

let sim: ComfyUiSim;
beforeEach(async () => {
  sim = await startComfyUiSim();
});
afterEach(() => sim.close());

const get = async (path: string) => (await fetch(`${sim.url}${path}`)).json();
function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${sim.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
const queue = (prompt: Prompt, promptId: string, more = {}) =>
  post('/prompt', { prompt, prompt_id: promptId, ...more });

async function outputOf(promptId: string, node = '9') {
  await expect.poll(() => sim.history(promptId)?.status.completed).toBe(true);
  const [file] = Object.values(sim.history(promptId)?.outputs[node] ?? {})[0] ?? [];
  const query = new URLSearchParams(file as Record<string, string>);
  return Buffer.from(await (await fetch(`${sim.url}/view?${query}`)).arrayBuffer());
}

/** All text messages of one client, by their type. */
async function listen(
  clientId: string,
): Promise<{ messages: [string, Record<string, unknown>][]; previews: Buffer[] }> {
  const heard = { messages: [] as [string, Record<string, unknown>][], previews: [] as Buffer[] };
  const socket = new WebSocket(`${sim.url.replace('http', 'ws')}/ws?clientId=${clientId}`);
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void heard.previews.push(data);
    const { type, data: body } = JSON.parse(data.toString());
    heard.messages.push([type, body]);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  return heard;
}

it('the same seed gives the same picture, another seed another one', async () => {
  await queue(textToImage(1), 'a');
  await queue(textToImage(2), 'b');
  await queue(textToImage(1), 'c');
  const [a, b, c] = [await outputOf('a'), await outputOf('b'), await outputOf('c')];
  expect(a.equals(c)).toBe(true);
  expect(a.equals(b)).toBe(false);
});

it('a sound is a WAV file of the length that was asked for', async () => {
  await queue(textToSound(), 'a');
  const wav = await outputOf('a');
  expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).toBe('RIFFWAVE');
  const [bytesPerSecond, dataBytes] = [wav.readUInt32LE(28), wav.readUInt32LE(40)];
  expect(dataBytes / bytesPerSecond).toBeCloseTo(1);
});

it('an uploaded picture is the input of a node', async () => {
  const form = new FormData();
  const green = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  form.set('image', new Blob([new Uint8Array(green)]), 'green.png');
  form.set('subfolder', 'in');
  const uploaded = await fetch(`${sim.url}/upload/image`, { method: 'POST', body: form });
  expect(await uploaded.json()).toEqual({ name: 'green.png', subfolder: 'in', type: 'input' });
  await queue(
    {
      '1': { class_type: 'LoadImage', inputs: { image: 'in/green.png' } },
      '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'x' } },
    },
    'a',
  );
  const { dominant } = await sharp(await outputOf('a', '3')).stats();
  expect(dominant).toMatchObject({ r: expect.any(Number) });
  expect([dominant.r > 200, dominant.g > 50, dominant.b > 200]).toEqual([true, false, true]);
});

it('its client hears start, nodes, progress with previews, outputs and success, in this order', async () => {
  const { messages, previews } = await listen('me');
  const other = await listen('other');
  await queue(textToImage(), 'a', { client_id: 'me' });
  const types = () => messages.map(([type]) => type).filter((type) => type !== 'status');
  await expect.poll(() => messages.at(-1)?.[1]).toMatchObject({ node: null, prompt_id: 'a' });
  const steps = Array.from({ length: 4 }, () => ['progress_state', 'progress']).flat();
  expect(types()).toEqual([
    'execution_start',
    'execution_cached',
    ...['4', '6', '7', '5', '3'].map(() => 'executing'),
    ...steps,
    'executing',
    'executing',
    'executed',
    'execution_success',
    'executing',
  ]);
  expect(previews).toHaveLength(4);
  expect(previews[0]?.readUInt32BE(0)).toBe(1);
  expect((await sharp(previews[0]?.subarray(8)).metadata()).format).toBe('jpeg');
  expect(other.messages.every(([type]) => type === 'status')).toBe(true);
});

it('a workflow that was just executed comes from the cache', async () => {
  const { messages } = await listen('me');
  await queue(textToImage(), 'a');
  await queue(textToImage(), 'b', { client_id: 'me' });
  await outputOf('b');
  const cached = messages.find(([type]) => type === 'execution_cached')?.[1];
  expect(cached?.nodes).toHaveLength(7);
});

it('a client that comes back while its prompt runs hears at which node', async () => {
  sim.hold();
  await queue(textToImage(), 'a', { client_id: 'me' });
  await expect.poll(() => sim.remaining()).toBe(1);
  const { messages } = await listen('me');
  await expect.poll(() => messages).toContainEqual(['executing', { node: '3' }]);
});

it.each([
  ['a class that is not installed', { class_type: 'NoSuchNode', inputs: {} }, 'missing_node_type'],
  ['no output', { class_type: 'EmptyLatentImage', inputs: {} }, 'prompt_no_outputs'],
])('a workflow with %s is refused', async (_what, node, type) => {
  const response = await post('/prompt', { prompt: { '1': node } });
  expect([response.status, (await response.json()).error.type]).toEqual([400, type]);
});

it.each([
  ['seed', -1, 'value_smaller_than_min'],
  ['cfg', 1000, 'value_bigger_than_max'],
  ['steps', 'many', 'invalid_input_type'],
  ['model', ['5', 0], 'return_type_mismatch'],
  ['model', ['404', 0], 'bad_linked_input'],
  ['latent_image', undefined, 'required_input_missing'],
])('an input %s of %j is refused', async (name, value, type) => {
  const prompt = textToImage();
  if (prompt['3']) prompt['3'].inputs[name] = value;
  const answer = await (await post('/prompt', { prompt })).json();
  expect(answer.node_errors['3'].errors).toMatchObject([{ type, extra_info: { input_name: name } }]);
});

it('a prompt that waits can be taken back; an interrupt of another one than runs does nothing', async () => {
  sim.hold();
  await queue(textToImage(1), 'a');
  await queue(textToImage(2), 'b');
  await expect.poll(async () => (await get('/queue')).queue_running[0]?.[1]).toBe('a');
  expect((await get('/queue')).queue_pending.map(([, id]: [number, string]) => id)).toEqual(['b']);
  await post('/queue', { delete: ['b'] });
  await post('/interrupt', { prompt_id: 'b' });
  sim.release();
  await outputOf('a');
  expect(await get('/history/b')).toEqual({});
  expect((await get('/history/a')).a.status).toMatchObject({ status_str: 'success', completed: true });
});

it('an interrupted prompt is in the history as an error', async () => {
  sim.hold();
  await queue(textToImage(), 'a');
  await expect.poll(() => sim.remaining()).toBe(1);
  await post('/interrupt', { prompt_id: 'a' });
  await expect.poll(() => sim.history('a')?.status.messages.at(-1)?.[0]).toBe('execution_interrupted');
  expect(sim.history('a')?.status).toMatchObject({ status_str: 'error', completed: false });
});

it('a node that fails is named, with what it says', async () => {
  sim.faults.failNode = { node: '8', message: 'out of memory' };
  await queue(textToImage(), 'a');
  await expect
    .poll(() => sim.history('a')?.status.messages.at(-1))
    .toMatchObject([
      'execution_error',
      { node_id: '8', node_type: 'VAEDecode', exception_message: 'out of memory' },
    ]);
});

it('a host that dies has forgotten its queue and history when it is back, and kept its files', async () => {
  await queue(textToImage(), 'a');
  const before = await outputOf('a');
  await sim.die();
  await expect(fetch(sim.url)).rejects.toThrow();
  await sim.revive();
  expect(await get('/history')).toEqual({});
  const again = await fetch(`${sim.url}/view?filename=tea_00001_.png&type=output`);
  expect(Buffer.from(await again.arrayBuffer()).equals(before)).toBe(true);
});
