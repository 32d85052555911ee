// @vitest-environment jsdom
import type { ThreadState } from '@plinth/client';
import type { ArtifactAuthor, ArtifactView, OpenPolicy } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { draw, undraw } from '../draw-for-test.js';
import { type OpenArtifact, useOpenArtifact } from './use-open-artifact.js';

afterEach(() => {
  undraw();
  sessionStorage.clear();
});

let workspace: OpenArtifact;

type ProbeProps = {
  artifacts: readonly ArtifactView[];
  scope: string;
  changes?: ThreadState['changedArtifacts'];
};

function Probe({ artifacts, scope, changes }: ProbeProps) {
  workspace = useOpenArtifact(artifacts, scope, changes === undefined ? {} : { changes });
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

  const changedBy = (kind: ArtifactAuthor['kind'], version: number, one = artifact('one')) => {
    const author = (
      kind === 'model' ? { kind, runId: null, callId: null } : { kind, id: 'x' }
    ) as ArtifactAuthor;
    return { [one.id]: { artifact: { ...one, version }, author } };
  };

  test('one that a model has changed comes to the front once, one that a person has changed does not', () => {
    const two = [artifact('two'), artifact('one')];
    const { redraw } = draw(<Probe artifacts={two} scope="a" />);
    redraw(<Probe artifacts={two} scope="a" changes={changedBy('end_user', 2)} />);
    expect(workspace.openId).toBe('two');
    redraw(<Probe artifacts={two} scope="a" changes={changedBy('model', 3)} />);
    expect(workspace.openId).toBe('one');
    act(() => workspace.open('two'));
    redraw(<Probe artifacts={[...two]} scope="a" changes={changedBy('model', 3)} />);
    expect(workspace.openId).toBe('two');
    redraw(<Probe artifacts={two} scope="a" changes={changedBy('model', 4)} />);
    expect(workspace.openId).toBe('one');
  });

  test('one that is only listed stays where it is when a model changes it', () => {
    const two = [artifact('two'), artifact('one', 'silent')];
    const { redraw } = draw(<Probe artifacts={two} scope="a" />);
    redraw(<Probe artifacts={two} scope="a" changes={changedBy('model', 2, artifact('one', 'silent'))} />);
    expect(workspace.openId).toBe('two');
  });

  test('after a reload a change that the person has seen does not come to the front again', () => {
    const two = [artifact('two'), artifact('one')];
    const changes = changedBy('model', 2);
    draw(<Probe artifacts={two} scope="a" changes={changes} />);
    act(() => workspace.open('two'));
    undraw();
    const { redraw } = draw(<Probe artifacts={two} scope="a" />);
    redraw(<Probe artifacts={two} scope="a" changes={changes} />);
    expect(workspace.openId).toBe('two');
    redraw(<Probe artifacts={two} scope="a" changes={changedBy('model', 3)} />);
    expect(workspace.openId).toBe('one');
  });

  test('another thread starts afresh', () => {
    const { redraw } = draw(<Probe artifacts={[artifact('one')]} scope="a" />);
    redraw(<Probe artifacts={[]} scope="b" />);
    expect(workspace.openId).toBeNull();
  });
});
