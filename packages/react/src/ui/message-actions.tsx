import type { PlinthClientError, ThreadSession } from '@plinth/client';
import { type ReactNode, useState } from 'react';
import { BranchSwitcher } from './branch-switcher.js';
import { ProblemText } from './problem-text.js';

type MessageActionsProps = {
  session: ThreadSession;
  messageId: string;
  busy: boolean;
  /** Why the last action was refused. */
  error: PlinthClientError | null;
  children: ReactNode;
};

/** The line below a message: what can be done with it, and its versions. */
export function MessageActions({ session, messageId, busy, error, children }: MessageActionsProps) {
  const [refused, setRefused] = useState<PlinthClientError | null>(null);
  const problem = error ?? refused;
  return (
    <div className="plinth-message-actions">
      <BranchSwitcher session={session} messageId={messageId} busy={busy} onRefused={setRefused} />
      {children}
      {problem !== null && (
        <p className="plinth-delivery" role="alert">
          <ProblemText error={problem} />
        </p>
      )}
    </div>
  );
}
