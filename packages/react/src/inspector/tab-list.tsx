import { type KeyboardEvent, useRef } from 'react';
import type { TabName } from './inspector-strings.js';
import { useInspectorStrings } from './use-inspector-strings.js';

export const TABS: readonly TabName[] = ['context', 'model', 'events', 'state'];

type TabListProps = { id: string; open: TabName; onOpen: (tab: TabName) => void };

/** The tabs as the ARIA practices ask: one of them in the order of Tab, the arrows go on to the others. */
export function TabList({ id, open, onOpen }: TabListProps) {
  const strings = useInspectorStrings();
  const list = useRef<HTMLDivElement>(null);
  const go = (event: KeyboardEvent) => {
    const next = tabAfter(open, event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
    if (next === null) return;
    event.preventDefault();
    onOpen(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div ref={list} className="plinth-inspector-tabs" role="tablist" aria-label={strings.inspector}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`${id}-${tab}`}
          data-tab={tab}
          className="plinth-tab"
          aria-selected={tab === open}
          aria-controls={`${id}-panel`}
          tabIndex={tab === open ? 0 : -1}
          onClick={() => onOpen(tab)}
          onKeyDown={go}
        >
          {strings.tabs[tab]}
        </button>
      ))}
    </div>
  );
}

/** Where a key leads from a tab; null: it is no key of tabs. */
export function tabAfter(tab: TabName, key: string, isRtl: boolean): TabName | null {
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight';
  const backward = isRtl ? 'ArrowRight' : 'ArrowLeft';
  const steps: Record<string, number> = { [forward]: 1, [backward]: -1 };
  const step = steps[key];
  if (step !== undefined) return TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? null;
  if (key === 'Home') return TABS[0] ?? null;
  return key === 'End' ? (TABS.at(-1) ?? null) : null;
}
