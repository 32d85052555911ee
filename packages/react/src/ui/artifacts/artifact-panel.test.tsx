// @vitest-environment jsdom
import { type Plinth, PlinthClientError } from '@plinth/client';
import type { ArtifactVersionView, ArtifactView } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PlinthProvider } from '../../plinth-provider.js';
import { button, click, draw, the, type as typeInto, undraw } from '../draw-for-test.js';
import { UiProvider } from '../ui-context.js';
import { anArtifactView } from './artifact-for-test.js';
import { ArtifactPanel } from './artifact-panel.js';
import type { ArtifactEditProps, ArtifactPlugin, ArtifactViewProps } from './artifact-plugin.js';
import { drafts } from './draft-store.js';

vi.setConfig({ testTimeout: 60_000 });

/** The platform's versions of one text, as the API keeps them. */
let versions: string[];
let fails: PlinthClientError | null;

const viewOf = (version: number): ArtifactView => anArtifactView({ version });

const plinth = {
  artifact: async () => ({ ...viewOf(versions.length), contentUrl: '/content' }),
  artifactBytes: async (_id: string, { version }: { version: number }) => ({
    text: async () => versions[version - 1] ?? '',
  }),
  artifactVersions: async () => ({
    items: versions
      .map(
        (_text, index): ArtifactVersionView => ({
          ...viewOf(index + 1),
          artifactId: 'art_1',
          author: { kind: 'model', runId: null, callId: null },
        }),
      )
      .reverse(),
    nextCursor: null,
  }),
  saveArtifact: async (
    _id: string,
    content: { text(): Promise<string> } | string,
    { version }: { version: number },
  ) => {
    if (fails !== null) throw fails;
    if (version !== versions.length)
      throw new PlinthClientError({
        code: 'artifact_revision_conflict',
        message: 'changed',
        status: 412,
        facts: { artifact: viewOf(versions.length) },
      });
    versions.push(typeof content === 'string' ? content : await content.text());
    return viewOf(versions.length);
  },
} as unknown as Plinth;

const PLAIN: ArtifactPlugin = {
  id: 'plain',
  accepts: ['document'],
  view: ({ text }: ArtifactViewProps) => <pre>{text}</pre>,
  edit: ({ text, onChange }: ArtifactEditProps) => (
    <textarea aria-label="Text" value={text} onChange={(event) => onChange(event.currentTarget.value)} />
  ),
};

const panel = (artifact = viewOf(1)) => (
  <PlinthProvider plinth={plinth}>
    <UiProvider language="en">
      <ArtifactPanel artifact={artifact} title="plan.md" plugins={[PLAIN]} />
    </UiProvider>
  </PlinthProvider>
);

const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 0))));
/** The view of a conflict is a chunk of its own: it comes when it comes. */
const until = (check: () => unknown) =>
  vi.waitFor(
    async () => {
      await settle();
      check();
    },
    { timeout: 20_000 },
  );
const field = (box: HTMLElement) => the<HTMLTextAreaElement>(box, 'textarea');

async function opened(artifact = viewOf(1)) {
  const drawn = draw(panel(artifact));
  await settle();
  return drawn;
}

beforeEach(() => {
  versions = ['one\ntwo\nthree\n'];
  fails = null;
});
afterEach(() => {
  undraw();
  drafts.set('art_1', null);
});

test('what is typed is a change that is not saved, and saving makes the next version without loading it again', async () => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  expect(button(box, 'Save').disabled).toBe(true);
  typeInto(field(box), 'ONE\ntwo\nthree\n');
  expect(box.textContent).toContain('Unsaved changes');
  const read = vi.spyOn(plinth, 'artifactBytes');
  await click(button(box, 'Save'));
  expect(versions[1]).toBe('ONE\ntwo\nthree\n');
  expect(box.textContent).toContain('Saved as version 2');
  expect(box.textContent).not.toContain('Unsaved changes');
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

test('typing back what is saved leaves nothing to save', async () => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'other');
  typeInto(field(box), 'one\ntwo\nthree\n');
  expect(drafts.get('art_1')).toBeNull();
});

test('changes survive that the editor is closed', async () => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'kept');
  undraw();
  const again = await opened();
  expect(again.box.querySelector('pre')?.textContent).toBe('kept');
  expect(again.box.textContent).toContain('Unsaved changes');
});

test('a version of the model comes in by itself where nothing was changed', async () => {
  const { box, redraw } = await opened();
  versions.push('by the model');
  redraw(panel(viewOf(2)));
  await settle();
  expect(box.querySelector('pre')?.textContent).toBe('by the model');
});

test('changes of both are shown side by side, and merged the person saves them on the newest version', async () => {
  const { box, redraw } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'ONE\ntwo\nthree\n');
  versions.push('one\ntwo\nTHREE\n');
  redraw(panel(viewOf(2)));
  await settle();
  expect(button(box, 'Save').disabled).toBe(true);
  await click(button(box, 'Compare and merge'));
  await until(() => expect(box.querySelectorAll('del')).toHaveLength(2));
  await click(button(box, 'Merge both'));
  expect(field(box).value).toBe('ONE\ntwo\nTHREE\n');
  await click(button(box, 'Save'));
  expect(versions[2]).toBe('ONE\ntwo\nTHREE\n');
});

test('a save that comes too late is refused, nothing is lost, and a place that both changed has to be edited first', async () => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'mine\ntwo\nthree\n');
  versions.push('theirs\ntwo\nthree\n');
  await click(button(box, 'Save'));
  expect(versions).toHaveLength(2);
  await click(button(box, 'Compare and merge'));
  await until(() => button(box, 'Merge both'));
  await click(button(box, 'Merge both'));
  expect(field(box).value).toContain('<<<<<<< Your changes\nmine\n=======\ntheirs\n>>>>>>> Version 2\n');
  expect([button(box, 'Save').disabled, box.textContent?.includes('One place was changed by both')]).toEqual([
    true,
    true,
  ]);
  typeInto(field(box), 'both\ntwo\nthree\n');
  await click(button(box, 'Save'));
  expect(versions[2]).toBe('both\ntwo\nthree\n');
});

test.each([
  ['Keep mine', 'mine', 3],
  ['Take theirs', 'theirs', 2],
])('%s ends the conflict so', async (choice, text, newest) => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'mine');
  versions.push('theirs');
  await click(button(box, 'Save'));
  await click(button(box, 'Compare and merge'));
  await until(() => button(box, choice));
  await click(button(box, choice));
  await settle();
  expect([versions.length, versions.at(-1)]).toEqual([newest, text]);
  expect(drafts.get('art_1')).toBeNull();
});

test('a save that fails says so and keeps the changes', async () => {
  const { box } = await opened();
  await click(button(box, 'Edit'));
  typeInto(field(box), 'mine');
  fails = new PlinthClientError({ code: 'network', message: 'down' });
  await click(button(box, 'Save'));
  expect(the(box, '[role=alert]').textContent).toMatch(/could not be saved/);
  expect(drafts.get('art_1')?.text).toBe('mine');
  fails = null;
  await click(button(box, 'Save'));
  expect(versions[1]).toBe('mine');
});

test('an older version is shown as one, and restored it is the newest again', async () => {
  versions.push('second');
  const { box } = await opened(viewOf(2));
  await click(button(box, 'Versions: v2'));
  await settle();
  await click(the(box, '.plinth-versions li:last-child button'));
  await settle();
  expect(box.querySelector('pre')?.textContent).toBe('one\ntwo\nthree\n');
  expect(box.textContent).toContain('This is version 1; the newest is 2.');
  expect([...box.querySelectorAll('button')].some(({ textContent }) => textContent === 'Edit')).toBe(false);
  await click(button(box, 'Restore this version'));
  await settle();
  expect(versions).toEqual(['one\ntwo\nthree\n', 'second', 'one\ntwo\nthree\n']);
});
