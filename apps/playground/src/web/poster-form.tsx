import type { JsonObject } from '@plinth/protocol';
import type { ComponentToolProps } from '@plinth/react';
import { sortFieldErrors } from '@plinth/react/ui';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { PaletteRow } from './poster/palette-row.js';
import { POSTER_SIZES } from './poster/poster-design.js';
import {
  checkDraft,
  detailsOf,
  draftFromProps,
  type PosterDetails,
  type PosterDraft,
} from './poster/poster-draft.js';
import { PosterField } from './poster/poster-field.js';
import { PosterPicture } from './poster/poster-picture.js';
import { useTexts } from './use-texts.js';

const FIELDS = ['headline', 'subtitle', 'date', 'size', 'background', 'accent'] as const;

/** The host's component of `poster_details`: the words and colours, beside the poster as it will be. */
export function PosterForm({ props, submit, status, errors }: ComponentToolProps<JsonObject, PosterDetails>) {
  const texts = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const first = useMemo(() => draftFromProps(props), [props]);
  const [draft, setDraft] = useState<PosterDraft>(first.draft);
  const [checked, setChecked] = useState(false);
  const sending = status === 'sending' || status === 'queued';
  // What the server refused is shown until the person sends again; their own typing is checked as they type.
  const problems = {
    ...sortFieldErrors(errors, FIELDS).byField,
    ...(checked ? checkDraft(draft, texts) : {}),
  };
  const change = (part: Partial<PosterDraft>) => setDraft((before) => ({ ...before, ...part }));

  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const wrong = FIELDS.find((field) => checkDraft(draft, texts)[field] !== undefined);
    if (wrong === undefined) submit(detailsOf(draft));
    else form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const field = (name: (typeof FIELDS)[number]) => ({ name, problem: problems[name] ?? null });
  const text = (name: 'headline' | 'subtitle' | 'date') => (
    <input
      type="text"
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  return (
    <form ref={form} className="tool-form poster-form" onSubmit={send} noValidate>
      <fieldset disabled={sending}>
        <legend>{texts.form.legend}</legend>
        <div className="poster-form-grid">
          <div className="poster-fields">
            <PosterField {...field('headline')} label={texts.form.headline} required>
              {text('headline')}
            </PosterField>
            <PosterField {...field('subtitle')} label={texts.form.subtitle} note={texts.form.optional}>
              {text('subtitle')}
            </PosterField>
            <PosterField {...field('date')} label={texts.form.date} help={texts.form.dateHint} required>
              {text('date')}
            </PosterField>
            <PosterField {...field('size')} label={texts.form.size}>
              <select
                value={draft.size}
                onChange={(event) => change({ size: event.target.value as PosterDraft['size'] })}
              >
                {POSTER_SIZES.map((size) => (
                  <option key={size} value={size}>
                    {texts.sizes[size]}
                  </option>
                ))}
              </select>
            </PosterField>
            <PaletteRow style={first.style} chosen={draft} onChoose={change} />
            <div className="poster-colors">
              <PosterField {...field('background')} label={texts.form.background}>
                <input
                  type="color"
                  value={draft.background}
                  onChange={(event) => change({ background: event.target.value })}
                />
              </PosterField>
              <PosterField {...field('accent')} label={texts.form.accent}>
                <input
                  type="color"
                  value={draft.accent}
                  onChange={(event) => change({ accent: event.target.value })}
                />
              </PosterField>
            </div>
          </div>
          <div className="poster-preview">
            <PosterPicture design={{ ...draft, style: first.style }} alt={texts.form.preview} />
          </div>
        </div>
      </fieldset>
      <div className="tool-actions">
        <button type="submit" className="plinth-button plinth-button--primary" disabled={sending}>
          {sending ? texts.form.sending : texts.form.submit}
        </button>
      </div>
    </form>
  );
}
