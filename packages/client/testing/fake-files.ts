import type { ArtifactView, AttachmentInput, AttachmentView, UploadView } from '@plinth/protocol';
import { AT, anArtifact } from './log-builder.js';

/** Uploads and artifacts in memory, with their revision check. */
export type FakeFiles = {
  putArtifact(changes: Partial<ArtifactView>, text: string): ArtifactView;
  /** Null for calls that are about something else. */
  respond(line: string, init: RequestInit): Promise<Response | null>;
  /** What becomes of something that was sent with a message. */
  taken(input: AttachmentInput): AttachmentView;
};

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const notFound = () => json({ code: 'not_found', detail: 'Not there.' }, 404);

export function createFakeFiles(): FakeFiles {
  const uploads = new Map<string, UploadView>();
  const versions = new Map<string, { view: ArtifactView; text: string }[]>();

  function putArtifact(changes: Partial<ArtifactView>, text: string): ArtifactView {
    const view = anArtifact(changes);
    const before = versions.get(view.id) ?? [];
    const next = { ...view, version: before.length + 1 };
    versions.set(view.id, [...before, { view: next, text }]);
    return next;
  }

  async function upload(query: URLSearchParams, init: RequestInit): Promise<Response> {
    const bytes = await new Response(init.body ?? null).arrayBuffer();
    const view: UploadView = {
      id: `upl_${uploads.size + 1}`,
      kind: 'image',
      mimeType: new Headers(init.headers).get('content-type') ?? '',
      title: query.get('title') ?? '',
      sizeBytes: bytes.byteLength,
      sha256: '00',
      createdAt: AT,
    };
    uploads.set(view.id, view);
    return json(view, 201);
  }

  async function save(id: string, init: RequestInit): Promise<Response> {
    const newest = versions.get(id)?.at(-1)?.view;
    if (!newest) return notFound();
    const isBase = new Headers(init.headers).get('if-match') === `"${newest.version}"`;
    const facts = { artifact: newest, author: { kind: 'model' }, changedAt: AT };
    if (!isBase)
      return json({ code: 'artifact_revision_conflict', detail: 'Changed meanwhile.', facts }, 412);
    return json(putArtifact(newest, await new Response(init.body ?? null).text()));
  }

  return {
    putArtifact,
    taken(input) {
      const id = 'uploadId' in input ? input.uploadId : 'artifactId' in input ? input.artifactId : input.url;
      const { kind, mimeType, title, sizeBytes } = uploads.get(id) ?? anArtifact({ title: id });
      return { artifactId: `art_of_${id}`, kind, mimeType, title, sizeBytes };
    },
    async respond(line, init) {
      const [method, target = ''] = line.split(' ');
      const { pathname, searchParams } = new URL(target, 'http://fake');
      const [, , kind, id, part] = pathname.split('/');
      if (kind === 'uploads') return upload(searchParams, init);
      if (kind !== 'artifacts') return null;
      if (!id)
        return json({ items: [...versions.values()].map((all) => all.at(-1)?.view), nextCursor: null });
      if (method === 'PUT') return save(id, init);
      const asked = Number(searchParams.get('version') ?? versions.get(id)?.length);
      const version = versions.get(id)?.[asked - 1];
      if (!version) return notFound();
      if (part === 'content') return new Response(version.text);
      return json({ ...version.view, contentUrl: `/v1/artifacts/${id}/content?version=${asked}` });
    },
  };
}
