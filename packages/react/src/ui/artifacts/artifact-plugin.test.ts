import { afterEach, describe, expect, it, vi } from 'vitest';
import { anArtifactView } from './artifact-for-test.js';
import { type ArtifactPlugin, choosePlugin } from './artifact-plugin.js';
import { BUILTIN_PLUGINS } from './builtin-plugins.js';

afterEach(() => vi.unstubAllGlobals());

const View = () => null;
const plugin = (id: string, fields: Partial<ArtifactPlugin> = {}): ArtifactPlugin => ({
  id,
  accepts: ['document'],
  view: View,
  ...fields,
});
const chosen = (own: ArtifactPlugin[], artifact = anArtifactView()) =>
  choosePlugin(artifact, own, BUILTIN_PLUGINS)?.id ?? null;

describe('which plugin shows an artifact', () => {
  it('the built-in one of its kind', () => {
    const kinds = [
      ['image', 'image/png', 'image'],
      ['audio', 'audio/wav', 'audio'],
      ['video', 'video/mp4', 'video'],
      ['pdf', 'application/pdf', 'pdf'],
      ['html', 'text/html', 'html'],
      ['table', 'text/csv', 'table'],
      ['table', 'application/json', 'table'],
      ['document', 'text/markdown', 'markdown'],
      ['document', 'text/plain', 'code'],
      ['code', 'text/x-python', 'code'],
    ] as const;
    for (const [kind, mimeType, id] of kinds) expect(chosen([], anArtifactView({ kind, mimeType }))).toBe(id);
  });

  it('none, for bytes that nobody can show: they are downloaded', () => {
    expect(chosen([], anArtifactView({ kind: 'file', mimeType: 'application/zip' }))).toBeNull();
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(chosen([], anArtifactView({ kind: 'table', mimeType }))).toBeNull();
  });

  it("a host's own before a built-in one, the highest priority before all, and of equals the first", () => {
    expect(chosen([plugin('mine')])).toBe('mine');
    expect(chosen([plugin('mine'), plugin('better', { priority: 5 })])).toBe('better');
    expect(chosen([plugin('first'), plugin('second')])).toBe('first');
    expect(chosen([plugin('low', { priority: -30 })])).toBe('markdown');
  });

  it('the same id replaces a built-in one, also where it does not accept what that took', () => {
    expect(chosen([plugin('markdown', { accepts: [] })])).toBe('code');
  });

  it('one whose look at the artifact fails does not take it', () => {
    const complaint = vi.fn();
    vi.stubGlobal('reportError', complaint);
    const broken = plugin('broken', {
      accepts: () => {
        throw new Error('of the host');
      },
    });
    expect(chosen([broken])).toBe('markdown');
    expect(complaint).toHaveBeenCalledTimes(1);
  });
});
