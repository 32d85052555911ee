import { useEffect, useState } from 'react';
import { useUi } from './ui-context.js';

const SHOWN_MS = 1600;

/** Copies a text and says so for a moment. Nothing is shown where the page may not use the clipboard. */
export function CopyButton({ text }: { text: () => string }) {
  const { strings } = useUi();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard?.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" className="plinth-button plinth-button--quiet plinth-button--small" onClick={copy}>
      <span aria-live="polite">{copied ? strings.copied : strings.copy}</span>
    </button>
  );
}
