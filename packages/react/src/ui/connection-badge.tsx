import type { Connection } from '@plinth/client';
import { useUi } from './ui-context.js';

/** Says whether what is shown is live. Quiet while all is well. */
export function ConnectionBadge({ connection }: { connection: Connection }) {
  const { strings } = useUi();
  if (connection === 'idle') return null;
  return (
    <span className={`plinth plinth-connection plinth-connection--${connection}`} role="status">
      <span className="plinth-connection-dot" aria-hidden="true" />
      <span className="plinth-connection-text">{strings.connection[connection]}</span>
    </span>
  );
}
