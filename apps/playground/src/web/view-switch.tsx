import { useTexts } from './use-texts.js';

export type View = 'chat' | 'workspace';

/** On a narrow screen chat and poster share the place; this says which one is shown. */
export function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  const texts = useTexts();
  return (
    <fieldset className="view-switch" aria-label={texts.view.label}>
      {(['chat', 'workspace'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
          {texts.view[one]}
        </button>
      ))}
    </fieldset>
  );
}
