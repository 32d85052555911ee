import { PlinthProvider, useComponentTool } from '@plinth/react';
import { UiProvider } from '@plinth/react/ui';
import { plinth } from './plinth.js';
import { PosterForm } from './poster-form.js';
import { useLanguage } from './preferences.js';
import { Studio } from './studio.js';
import { StylePicker } from './style-picker.js';
import { TEXTS } from './texts-by-language.js';

/** The page: the client, the language, and the two components that the agent may ask for by name. */
export function App() {
  const [language, setLanguage] = useLanguage();
  return (
    <PlinthProvider plinth={plinth}>
      <UiProvider language={language} labels={TEXTS[language].labels}>
        <ComponentTools />
        <Studio language={language} onLanguage={setLanguage} />
      </UiProvider>
    </PlinthProvider>
  );
}

function ComponentTools() {
  useComponentTool('StylePicker', StylePicker);
  useComponentTool('PosterForm', PosterForm);
  return null;
}
