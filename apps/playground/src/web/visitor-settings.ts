import type { FrontendTool } from '@plinth/client';

/** Handler of the tool `visitor_settings`: what only the person's own browser knows. */
export const visitorSettings: FrontendTool = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: navigator.language,
});
