import type { Labels } from '@plinth/react/ui';
import type { PosterSize, PosterStyle } from './poster/poster-design.js';

/** Every text of the page itself. Those of the chat come with the SDK. */
export type Texts = {
  name: string;
  heading: string;
  intro: string;
  examples: readonly string[];
  examplesLabel: string;
  /** Words of the posters on the empty page. */
  samples: readonly { style: PosterStyle; headline: string; subtitle: string; date: string }[];
  placeholder: string;
  newWork: string;
  yourWork: string;
  closeList: string;
  otherLanguage: string;
  switchLanguage: string;
  inspect: string;
  toDark: string;
  toLight: string;
  view: { label: string; chat: string; workspace: string };
  workspaceEmpty: string;
  workspaceHint: string;
  posterAlt: (title: string) => string;
  styles: Record<PosterStyle, { title: string; description: string }>;
  picker: {
    legend: string;
    choose: string;
    useNone: string;
    use: (title: string) => string;
    sending: string;
  };
  sizes: Record<PosterSize, string>;
  form: {
    legend: string;
    headline: string;
    subtitle: string;
    optional: string;
    date: string;
    dateHint: string;
    size: string;
    background: string;
    accent: string;
    palettes: string;
    palette: (n: number) => string;
    preview: string;
    submit: string;
    sending: string;
    missing: { headline: string; date: string };
    tooLong: (max: number) => string;
    sameColors: string;
  };
  /** The page's words for the tools and their arguments. */
  labels: Labels;
};
