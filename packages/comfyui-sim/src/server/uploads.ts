import type { FileStore, FileType } from './file-store.js';
import type { Answer } from './host.js';

const TYPES: readonly string[] = ['input', 'output', 'temp'];

/** `POST /upload/image`: takes any file, keeps it under a free name unless it may overwrite. */
export async function takeUpload(contentType: string, body: Uint8Array, files: FileStore): Promise<Answer> {
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData();
  const image = form.get('image');
  const type = String(form.get('type') ?? 'input');
  const subfolder = String(form.get('subfolder') ?? '');
  if (!(image instanceof File) || image.name === '' || !TYPES.includes(type) || /\.\./.test(subfolder))
    return { status: 400 };
  const overwrites = ['true', '1'].includes(String(form.get('overwrite') ?? ''));
  const bytes = new Uint8Array(await image.arrayBuffer());
  const name = overwrites
    ? image.name
    : freeName(image.name, bytes, (filename) => files.get({ filename, subfolder, type: type as FileType }));
  files.put({ filename: name, subfolder, type: type as FileType }, bytes);
  return { status: 200, body: { name, subfolder, type } };
}

function freeName(name: string, bytes: Uint8Array, find: (name: string) => Uint8Array | undefined): string {
  const dot = name.lastIndexOf('.') < 0 ? name.length : name.lastIndexOf('.');
  for (let copy = 0; ; copy += 1) {
    const candidate = copy === 0 ? name : `${name.slice(0, dot)} (${copy})${name.slice(dot)}`;
    const found = find(candidate);
    if (!found || Buffer.compare(found, bytes) === 0) return candidate;
  }
}
