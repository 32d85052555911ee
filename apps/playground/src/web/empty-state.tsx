import { PALETTES } from './poster/poster-design.js';
import { PosterPicture } from './poster/poster-picture.js';
import type { Texts } from './texts.js';
import { useTexts } from './use-texts.js';

/** What the page shows before the first message: posters on a wall, and sentences to start with. */
export function EmptyState({ send }: { send: (text: string) => void }) {
  const texts = useTexts();
  return (
    <div className="empty-state">
      <div className="empty-wall" aria-hidden="true">
        {texts.samples.map((sample) => (
          <PosterPicture key={sample.style} design={designOf(sample)} alt="" />
        ))}
      </div>
      <h2>{texts.heading}</h2>
      <p>{texts.intro}</p>
      <ul className="empty-examples" aria-label={texts.examplesLabel}>
        {texts.examples.map((example) => (
          <li key={example}>
            <button type="button" onClick={() => send(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function designOf(sample: Texts['samples'][number]) {
  return { ...PALETTES[sample.style][0], size: 'A4', ...sample } as const;
}
