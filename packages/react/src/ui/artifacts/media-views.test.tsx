// @vitest-environment jsdom
import type { Plinth } from '@plinth/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PlinthProvider } from '../../plinth-provider.js';
import { button, draw, fire, the, undraw } from '../draw-for-test.js';
import { UiProvider } from '../ui-context.js';
import { anArtifactView } from './artifact-for-test.js';
import { ArtifactPanel } from './artifact-panel.js';
import type { ArtifactViewProps } from './artifact-plugin.js';
import { AudioView } from './audio-view.js';
import { ImageView } from './image-view.js';
import { VideoView } from './video-view.js';

afterEach(() => {
  undraw();
  vi.restoreAllMocks();
});

let asked = 0;
const plinth = {
  artifact: async () => {
    asked += 1;
    return { contentUrl: `/content/${asked}` };
  },
} as unknown as Plinth;

const within = (view: React.ReactNode) => (
  <PlinthProvider plinth={plinth}>
    <UiProvider language="en">{view}</UiProvider>
  </PlinthProvider>
);

describe.each([
  ['audio', AudioView, 'audio'],
  ['video', VideoView, 'video'],
  ['image', ImageView, 'img'],
] as const)('a product of the kind %s', (kind, View, element) => {
  const view = (url: string, onUrlFailed = () => {}) => {
    const props: ArtifactViewProps = {
      artifact: anArtifactView({ kind, sizeBytes: 1_234_000 }),
      title: 'x',
      url,
      text: null,
      onUrlFailed,
    };
    return within(<View {...props} />);
  };

  test('that the browser refuses says so, asks for a new address, and can be downloaded instead', async () => {
    const onUrlFailed = vi.fn();
    const { box, redraw } = draw(view('/content/1', onUrlFailed));
    await fire(the(box, element), new Event('error'));
    expect(onUrlFailed).toHaveBeenCalledTimes(1);
    expect(the(box, '[role=alert]').textContent).toContain('This browser cannot show this file.');
    expect(button(box, 'Download 1.23 MB')).toBeTruthy();
    redraw(view('/content/2', onUrlFailed));
    expect(box.querySelector('[role=alert]')).toBeNull();
    expect(the(box, element).getAttribute('src')).toBe('/content/2');
  });
});

test('an address whose time is over is renewed each time, and not in a loop when it does not help', async () => {
  asked = 0;
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const artifact = anArtifactView({ kind: 'video', mimeType: 'video/webm' });
  const { box } = draw(within(<ArtifactPanel artifact={artifact} title="x" plugins={[]} />));
  const refuse = async () => {
    await vi.waitFor(() => the(box, 'video'));
    await fire(the(box, 'video'), new Event('error'));
  };
  await refuse();
  await vi.waitFor(() => expect(the(box, 'video').getAttribute('src')).toBe('/content/2'));
  await refuse();
  expect(the(box, '[role=alert]').textContent).toContain('cannot show');
  expect(asked).toBe(2);
  undraw();

  const again = draw(within(<ArtifactPanel artifact={artifact} title="x" plugins={[]} />)).box;
  for (const expected of ['/content/3', '/content/4', '/content/5']) {
    await vi.waitFor(() => expect(the(again, 'video').getAttribute('src')).toBe(expected));
    now += 900_000;
    await fire(the(again, 'video'), new Event('error'));
  }
});
