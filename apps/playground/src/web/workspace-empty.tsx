import { useTexts } from './use-texts.js';

/** The place where the poster will be. */
export function WorkspaceEmpty() {
  const texts = useTexts();
  return (
    <div className="workspace-empty">
      <div className="workspace-frame" aria-hidden="true" />
      <h2>{texts.workspaceEmpty}</h2>
      <p>{texts.workspaceHint}</p>
    </div>
  );
}
