import type { ReactNode } from 'react';
import { Icon } from '../icons.js';

type ArtifactMessageProps = { icon: 'file' | 'alert'; text: string; role?: 'alert'; children?: ReactNode };

/** What stands in the place of an artifact that cannot be shown, and what can be done instead. */
export function ArtifactMessage({ icon, text, role, children }: ArtifactMessageProps) {
  return (
    <div className="plinth-workspace-empty" role={role}>
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}
