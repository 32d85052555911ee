import { useTexts } from '../use-texts.js';
import { PALETTES, type Palette, type PosterStyle } from './poster-design.js';

type PaletteRowProps = { style: PosterStyle; chosen: Palette; onChoose: (palette: Palette) => void };

/** Pairs of colours that suit the style, one click each. */
export function PaletteRow({ style, chosen, onChoose }: PaletteRowProps) {
  const texts = useTexts();
  return (
    <fieldset className="palette-row" aria-label={texts.form.palettes}>
      {PALETTES[style].map((palette, index) => (
        <button
          key={palette.background}
          type="button"
          className="palette"
          aria-label={texts.form.palette(index + 1)}
          aria-pressed={palette.background === chosen.background && palette.accent === chosen.accent}
          onClick={() => onChoose(palette)}
        >
          <span style={{ backgroundColor: palette.background }} />
          <span style={{ backgroundColor: palette.accent }} />
        </button>
      ))}
    </fieldset>
  );
}
