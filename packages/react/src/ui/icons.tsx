import type { ReactNode } from 'react';

const PATHS = {
  attach: (
    <path d="M18.5 11.5 12 18a4 4 0 0 1-5.7-5.7l7-7a2.7 2.7 0 0 1 3.8 3.8l-6.8 6.8a1.3 1.3 0 0 1-1.9-1.9l6-6" />
  ),
  send: <path d="M12 19V5M5.5 11.5 12 5l6.5 6.5" />,
  stop: <rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentColor" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  cross: <path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />,
  alert: <path d="M12 7.5v5.5M12 16.5v.01M12 3.5 2.5 20h19z" />,
  clock: <path d="M12 7.5V12l3 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z" />,
  shield: <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.6 7 9 4.1-1.4 7-4.6 7-9V6zM9 12l2.2 2.2L15.2 10" />,
  question: (
    <path d="M9.2 9.3a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2M12 17v.01M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z" />
  ),
  pencil: <path d="m4.5 19.5.8-4L16 4.8a1.7 1.7 0 0 1 2.4 0l.8.8a1.7 1.7 0 0 1 0 2.4L8.5 18.7zM14 7l3 3" />,
  back: <path d="m14.5 6-6 6 6 6" />,
  forward: <path d="m9.5 6 6 6-6 6" />,
  again: <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5" />,
  down: <path d="M12 5v14M5.5 12.5 12 19l6.5-6.5" />,
  download: <path d="M12 4v11M7 10.5l5 5 5-5M4.5 19.5h15" />,
  plus: <path d="M12 5v14M5 12h14" />,
  minus: <path d="M5 12h14" />,
  fork: <path d="M7 4.5v15M7 14c6 0 9-1.500 9-7M13 9.500l3-3 3 3" />,
  fit: <path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5" />,
  image: <path d="M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9.5v.01" />,
  audio: (
    <path d="M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z" />
  ),
  video: <path d="M4 6h11v12H4zM15 10.5l5-3v9l-5-3" />,
  code: <path d="m8.5 7.5-5 4.5 5 4.5M15.5 7.5l5 4.5-5 4.5M13.5 5l-3 14" />,
  table: <path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14" />,
  history: <path d="M4.5 6v4h4M4.9 10A8 8 0 1 1 4 12.5M12 8v4.5l3 1.8" />,
  save: <path d="M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6" />,
  file: <path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4" />,
} satisfies Record<string, ReactNode>;

/** The name of a drawn icon. */
export type IconName = keyof typeof PATHS;

/** What points along the line of writing, and so the other way where that runs from right to left. */
const DIRECTIONAL: ReadonlySet<IconName> = new Set<IconName>(['back', 'forward']);

/** A line icon in the text's colour. Decoration only: the control around it carries the name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={DIRECTIONAL.has(name) ? 'plinth-icon plinth-icon--directional' : 'plinth-icon'}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {PATHS[name]}
    </svg>
  );
}
