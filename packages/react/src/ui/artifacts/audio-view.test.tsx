// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import { draw, fire, the, undraw } from '../draw-for-test.js';
import { anArtifactView } from './artifact-for-test.js';
import { AudioView } from './audio-view.js';

afterEach(undraw);

const view = (url: string | null) => (
  <AudioView
    artifact={anArtifactView({ kind: 'audio' })}
    url={url}
    text={null}
    title="Autumn jingle"
    onUrlFailed={() => {}}
  />
);

describe('a sound', () => {
  test('has the controls of the browser, and a name', () => {
    const { box } = draw(view('/content/1'));
    const player = the<HTMLAudioElement>(box, 'audio');
    expect([player.controls, player.getAttribute('src'), player.getAttribute('aria-label')]).toEqual([
      true,
      '/content/1',
      'Autumn jingle',
    ]);
  });

  test('shows that its address is being asked for', () => {
    const { box } = draw(view(null));
    expect(the(box, '[role=status]')).toBeTruthy();
    expect(box.querySelector('audio')).toBeNull();
  });

  test('goes on at its place when its address is renewed', async () => {
    const { box, redraw } = draw(view('/content/1'));
    const player = the<HTMLAudioElement>(box, 'audio');
    player.currentTime = 3;
    await fire(player, new Event('timeupdate', { bubbles: true }));
    player.currentTime = 0;
    redraw(view('/content/2'));
    expect(the<HTMLAudioElement>(box, 'audio').currentTime).toBe(3);
  });
});
