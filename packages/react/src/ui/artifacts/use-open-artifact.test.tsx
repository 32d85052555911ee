// @vitest-environment jsdom
import type { ArtifactView, OpenPolicy } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { draw, undraw } from '../draw-for-test.js';
import { type OpenArtifact, useOpenArtifact } from './use-open-artifact.js';

afterEach(undraw);

let workspace: OpenArtifact;

function Probe({ artifacts, scope }: { artifacts: readonly ArtifactView[]; scope: string }) {
  workspace = useOpenArtifact(artifacts, scope);
  return null;
}

function artifact(id: string, open: OpenPolicy = 'auto'): ArtifactView {
  return {
    id,
    open,
    threadId: 'thr_1',
    runId: null,
    callId: null,
    kind: 'image',
    mimeType: 'image/png',
    title: id,
    version: 1,
    sizeBytes: 1,
    sha256: 'x',
    createdAt: '2030-01-01T10:00:00.000Z',
  };
}

describe('which artifact is open', () => {
  test('a new one opens by itself; after that the choice of the person stands', () => {
    const { redraw } = draw(<Probe artifacts={[]} scope="a" />);
    expect(workspace.openId).toBeNull();
    redraw(<Probe artifacts={[artifact('one')]} scope="a" />);
    expect(workspace.openId).toBe('one');
    redraw(<Probe artifacts={[artifact('two'), artifact('one')]} scope="a" />);
    expect(workspace.openId).toBe('two');
    act(() => workspace.open('one'));
    redraw(<Probe artifacts={[artifact('two'), artifact('one')]} scope="a" />);
    expect(workspace.openId).toBe('one');
  });

  test('one that is only announced or listed waits until it is chosen', () => {
    const { redraw } = draw(<Probe artifacts={[artifact('one')]} scope="a" />);
    redraw(
      <Probe
        artifacts={[artifact('two', 'notify'), artifact('three', 'silent'), artifact('one')]}
        scope="a"
      />,
    );
    expect(workspace.openId).toBe('one');
    act(() => workspace.open('two'));
    expect(workspace.openId).toBe('two');
  });

  test('another thread starts afresh', () => {
    const { redraw } = draw(<Probe artifacts={[artifact('one')]} scope="a" />);
    redraw(<Probe artifacts={[]} scope="b" />);
    expect(workspace.openId).toBeNull();
  });
});
