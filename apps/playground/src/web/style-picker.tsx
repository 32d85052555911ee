import type { JsonObject, JsonValue } from '@plinth/protocol';
import type { ComponentToolProps } from '@plinth/react';
import { type FormEvent, useId, useState } from 'react';
import { isPosterStyle, PALETTES, POSTER_STYLES, type PosterStyle } from './poster/poster-design.js';
import { PosterPicture } from './poster/poster-picture.js';
import type { Texts } from './texts.js';
import { useTexts } from './use-texts.js';

type StyleOption = { id: PosterStyle; title: string; description: string };

/** The host's component of `choose_style`: the four styles as pictures, with the person's topic on them. */
export function StylePicker({
  props,
  submit,
  status,
}: ComponentToolProps<JsonObject, { style: PosterStyle }>) {
  const texts = useTexts();
  const name = useId();
  const [chosen, setChosen] = useState<PosterStyle | null>(null);
  const [asked, setAsked] = useState(false);
  const options = optionsOf(props.styles, texts);
  const topic = typeof props.topic === 'string' ? props.topic : '';
  const title = options.find((option) => option.id === chosen)?.title;
  const sending = status === 'sending' || status === 'queued';

  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (chosen !== null) submit({ style: chosen });
  };
  return (
    <form className="tool-form style-picker" onSubmit={send}>
      <fieldset disabled={sending} aria-describedby={`${name}-problem`}>
        <legend>{texts.picker.legend}</legend>
        <div className="style-grid">
          {options.map((option) => (
            <label key={option.id} className="style-option">
              <input
                type="radio"
                name={name}
                value={option.id}
                checked={chosen === option.id}
                aria-label={option.title}
                aria-describedby={`${name}-${option.id}`}
                onChange={() => setChosen(option.id)}
              />
              <PosterPicture design={sampleOf(option, topic)} alt="" />
              <span className="style-title">{option.title}</span>
              <span className="style-description" id={`${name}-${option.id}`}>
                {option.description}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="tool-actions">
        <button type="submit" className="plinth-button plinth-button--primary" disabled={sending}>
          {sending
            ? texts.picker.sending
            : title === undefined
              ? texts.picker.useNone
              : texts.picker.use(title)}
        </button>
        <p id={`${name}-problem`} className="plinth-field-error" role="status">
          {asked && chosen === null ? texts.picker.choose : null}
        </p>
      </div>
    </form>
  );
}

function sampleOf({ id, title }: StyleOption, topic: string) {
  return {
    ...PALETTES[id][0],
    style: id,
    size: 'A4',
    headline: topic === '' ? title : topic,
    subtitle: '',
    date: '',
  } as const;
}

/** The styles of the call that this page can draw, or all of them; in the call's words where it has any. */
function optionsOf(styles: JsonValue | undefined, texts: Texts): StyleOption[] {
  const wanted = Array.isArray(styles) ? styles.flatMap((style) => readOption(style, texts)) : [];
  if (wanted.length === 0) return POSTER_STYLES.map((id) => ({ id, ...texts.styles[id] }));
  return wanted.filter((option, index) => wanted.findIndex((other) => other.id === option.id) === index);
}

function readOption(value: JsonValue, texts: Texts): StyleOption[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPosterStyle(value.id))
    return [];
  const own = texts.styles[value.id];
  const title = typeof value.title === 'string' && value.title !== '' ? value.title : own.title;
  const description = typeof value.description === 'string' ? value.description : own.description;
  return [{ id: value.id, title, description }];
}
