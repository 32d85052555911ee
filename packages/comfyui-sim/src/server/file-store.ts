export type FileType = 'input' | 'output' | 'temp';

export interface FileRef {
  filename: string;
  subfolder: string;
  type: FileType;
}

const pathOf = ({ type, subfolder, filename }: FileRef) =>
  `${type}/${subfolder === '' ? '' : `${subfolder}/`}${filename}`;

/** The folders of a host, in memory. */
export class FileStore {
  readonly #files = new Map<string, Uint8Array>();
  #counter = 0;

  /** Saves under the next free number: `folder/name` becomes `name_00001_.png` in `folder`. */
  save(type: FileType, prefix: string, extension: string, bytes: Uint8Array): FileRef {
    const parts = prefix.split('/').filter((part) => part !== '' && part !== '..');
    const name = parts.pop() ?? 'ComfyUI';
    this.#counter += 1;
    const filename = `${name}_${String(this.#counter).padStart(5, '0')}_.${extension}`;
    const ref: FileRef = { filename, subfolder: parts.join('/'), type };
    this.put(ref, bytes);
    return ref;
  }

  put(ref: FileRef, bytes: Uint8Array): void {
    this.#files.set(pathOf(ref), bytes);
  }

  get(ref: FileRef): Uint8Array | undefined {
    return this.#files.get(pathOf(ref));
  }

  isThere(type: FileType, path: string): boolean {
    return this.#files.has(`${type}/${path}`);
  }

  /** @throws Error when there is no such file */
  read(type: FileType, path: string): Uint8Array {
    const bytes = this.#files.get(`${type}/${path}`);
    if (bytes === undefined) throw new Error(`No such file: ${path}`);
    return bytes;
  }
}
