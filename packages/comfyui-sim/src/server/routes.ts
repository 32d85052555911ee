import { nodeClass, objectInfo } from '../nodes/node-classes.js';
import type { JsonRecord } from '../prompts/prompt.js';
import type { FileType } from './file-store.js';
import type { Answer, Host } from './host.js';
import { takeUpload } from './uploads.js';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  contentType: string;
  body: Buffer;
}

/** Bytes go out as they are, anything else as JSON. */
export type Reply = Answer & { bytes?: Uint8Array; fileName?: string };

const OK: Reply = { status: 200 };
const json = (body: unknown): Reply => ({ status: 200, body });

/** Answers one request as the real host would; undefined for a path that is not known here. */
export async function answer(host: Host, call: Call): Promise<Reply | undefined> {
  const path = call.path.replace(/^\/api(?=\/)/, '');
  const [, first = '', second = ''] = path.split('/');
  switch (`${call.method} /${first}`) {
    case 'GET /system_stats':
      return json(SYSTEM_STATS);
    case 'GET /features':
      return json({ supports_preview_metadata: false, max_upload_size: 104_857_600 });
    case 'GET /embeddings':
    case 'GET /extensions':
      return json([]);
    case 'GET /object_info':
      return json(second === '' ? objectInfo() : nodeClass(second) ? objectInfo([second]) : {});
    case 'GET /prompt':
      return json(host.status());
    case 'POST /prompt':
      return host.submit(readJson(call.body));
    case 'GET /queue':
      return json({
        queue_running: host.queue.running ? [host.queue.running] : [],
        queue_pending: host.queue.pending,
      });
    case 'POST /queue':
      return changeQueue(host, readJson(call.body));
    case 'GET /history':
      return json(history(host, decodeURIComponent(second), call.query));
    case 'POST /history':
      return changeHistory(host, readJson(call.body));
    case 'POST /interrupt': {
      const { prompt_id } = call.body.length > 0 ? readJson(call.body) : {};
      host.interrupt(typeof prompt_id === 'string' ? prompt_id : undefined);
      return OK;
    }
    case 'POST /free':
      return OK;
    case 'POST /upload':
      return second === 'image' ? takeUpload(call.contentType, call.body, host.files) : undefined;
    case 'GET /view':
      return view(host, call.query);
    default:
      return undefined;
  }
}

function readJson(body: Buffer): JsonRecord {
  return JSON.parse(body.toString('utf8')) as JsonRecord;
}

function changeQueue(host: Host, { clear, delete: ids }: JsonRecord): Reply {
  if (clear === true) host.queue.pending = [];
  if (Array.isArray(ids)) for (const id of ids) host.queue.delete(String(id));
  host.queueChanged();
  return OK;
}

function changeHistory(host: Host, { clear, delete: ids }: JsonRecord): Reply {
  if (clear === true) host.queue.history.clear();
  if (Array.isArray(ids)) for (const id of ids) host.queue.history.delete(String(id));
  return OK;
}

function history({ queue }: Host, id: string, query: URLSearchParams): JsonRecord {
  const found = queue.history.get(id);
  if (id !== '') return found ? { [id]: found } : {};
  const most = Number(query.get('max_items') ?? Number.POSITIVE_INFINITY);
  return Object.fromEntries([...queue.history].slice(-most));
}

function view({ files }: Host, query: URLSearchParams): Reply {
  const filename = query.get('filename') ?? '';
  const subfolder = query.get('subfolder') ?? '';
  if (filename.startsWith('/') || filename.includes('..')) return { status: 400 };
  if (subfolder.includes('..')) return { status: 403 };
  const type = (query.get('type') ?? 'output') as FileType;
  const bytes = files.get({ filename, subfolder, type });
  return bytes ? { status: 200, bytes, fileName: filename } : { status: 404 };
}

const GIB = 1024 ** 3;
const SYSTEM_STATS = {
  system: {
    os: 'posix',
    ram_total: 16 * GIB,
    ram_free: 8 * GIB,
    comfyui_version: '0.3.75',
    python_version: '3.12.0',
    pytorch_version: '2.8.0',
    embedded_python: false,
    argv: ['main.py'],
  },
  devices: [
    {
      name: 'cpu',
      type: 'cpu',
      index: null,
      vram_total: 16 * GIB,
      vram_free: 8 * GIB,
      torch_vram_total: 16 * GIB,
      torch_vram_free: 8 * GIB,
    },
  ],
};
