import type { ReactNode } from 'react';

function LineIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function MenuIcon() {
  return (
    <LineIcon>
      <path d="M4 7h16M4 12h16M4 17h10" />
    </LineIcon>
  );
}

export function InspectIcon() {
  return (
    <LineIcon>
      <path d="M4 20V10h4v10zM10 20V4h4v16zM16 20v-7h4v7z" />
    </LineIcon>
  );
}

export function MoonIcon() {
  return (
    <LineIcon>
      <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />
    </LineIcon>
  );
}

export function SunIcon() {
  return (
    <LineIcon>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4" />
    </LineIcon>
  );
}

/** The studio's mark: a poster with a sun on it. */
export function StudioMark() {
  return (
    <svg className="studio-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect
        x="5"
        y="2"
        width="22"
        height="28"
        rx="3"
        fill="var(--plinth-raised)"
        stroke="currentColor"
        strokeWidth="2"
      />
      <circle cx="16" cy="12" r="6" fill="var(--plinth-accent)" />
      <path d="M10 22h12M10 26h7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
