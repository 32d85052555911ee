import { type ReactNode, useState } from 'react';

type DisclosureProps = { summary: ReactNode; isOpen?: boolean; children: ReactNode };

/** Something that opens. What is in it is drawn only then: a request may have thousands of messages. */
export function Disclosure({ summary, isOpen = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details
      className="plinth-model-part"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {open && children}
    </details>
  );
}
