import type { Connection } from '@plinth/client';
import { ConnectionBadge, type Language } from '@plinth/react/ui';
import type { Theme } from './preferences.js';
import { InspectIcon, MenuIcon, MoonIcon, StudioMark, SunIcon } from './studio-icons.js';
import { useTexts } from './use-texts.js';

type StudioHeaderProps = {
  language: Language;
  onLanguage: (language: Language) => void;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  connection: Connection;
  inspecting: boolean;
  onInspect: (open: boolean) => void;
  listOpen: boolean;
  onToggleList: () => void;
};

/** Name, connection, inspector, language and theme. */
export function StudioHeader(props: StudioHeaderProps) {
  const { language, theme, connection } = props;
  const texts = useTexts();
  const otherTheme = theme === 'dark' ? 'light' : 'dark';
  return (
    <header className="studio-header">
      <button
        type="button"
        className="icon-button studio-menu"
        aria-label={texts.yourWork}
        aria-expanded={props.listOpen}
        onClick={props.onToggleList}
      >
        <MenuIcon />
      </button>
      <h1 className="studio-name">
        <StudioMark />
        {texts.name}
      </h1>
      <ConnectionBadge connection={connection} />
      <button
        type="button"
        className="icon-button"
        aria-label={texts.inspect}
        aria-pressed={props.inspecting}
        onClick={() => props.onInspect(!props.inspecting)}
      >
        <InspectIcon />
      </button>
      <button
        type="button"
        className="text-button"
        lang={language === 'zh' ? 'en' : 'zh-Hans'}
        aria-label={texts.switchLanguage}
        onClick={() => props.onLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        {texts.otherLanguage}
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={otherTheme === 'dark' ? texts.toDark : texts.toLight}
        onClick={() => props.onTheme(otherTheme)}
      >
        {otherTheme === 'dark' ? <MoonIcon /> : <SunIcon />}
      </button>
    </header>
  );
}
