import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/icons.js';
import { UiProvider, useUi } from '../ui/ui-context.js';
import type { ElementWorkspaceProps } from './element-workspace.js';

/** Loads the workspace, which most pages do not need at once. */
export type LoadWorkspace = () => Promise<{ ElementWorkspace: ComponentType<ElementWorkspaceProps> }>;

export type WorkspaceAsideProps = ElementWorkspaceProps & {
  load: LoadWorkspace;
  onClose: () => void;
  /** The person has asked for it: the keyboard goes there. */
  takesFocus: boolean;
};

/** Beside the chat where there is room, else over it. */
export function WorkspaceAside({ language, ...aside }: WorkspaceAsideProps) {
  return (
    <UiProvider {...(language === undefined ? {} : { language })}>
      <Aside {...aside} language={language} />
    </UiProvider>
  );
}

function Aside({
  load,
  onClose,
  takesFocus,
  language,
  ...props
}: Omit<WorkspaceAsideProps, 'language'> & { language: ElementWorkspaceProps['language'] | undefined }) {
  const { strings } = useUi();
  const { Workspace, failed, retry } = useLoaded(load);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) close.current?.focus();
  }, [takesFocus]);
  return (
    <div className="plinth plinth-aside">
      <button
        ref={close}
        type="button"
        className="plinth-button plinth-button--quiet plinth-button--small plinth-aside-close"
        aria-label={strings.closeWorkspace}
        title={strings.closeWorkspace}
        onClick={onClose}
      >
        <Icon name="cross" />
      </button>
      {failed && (
        <p role="alert" className="plinth-aside-failed">
          {strings.workspaceFailed}{' '}
          <button type="button" className="plinth-button" onClick={retry}>
            {strings.tryAgain}
          </button>
        </p>
      )}
      {Workspace && <Workspace {...props} {...(language === undefined ? {} : { language })} />}
    </div>
  );
}

interface Loaded {
  Workspace: ComponentType<ElementWorkspaceProps> | null;
  failed: boolean;
}

/** Not `lazy`, which never tries again. */
function useLoaded(load: LoadWorkspace): Loaded & { retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ Workspace: null, failed: false });
  const retry = useCallback(() => {
    setLoaded({ Workspace: null, failed: false });
    load().then(
      ({ ElementWorkspace }) => setLoaded({ Workspace: ElementWorkspace, failed: false }),
      () => setLoaded({ Workspace: null, failed: true }),
    );
  }, [load]);
  useEffect(retry, [retry]);
  return { ...loaded, retry };
}
