/** Hour and minute, as the reader's language writes them. */
export function formatTime(iso: string, locale: string): string {
  return formatterOf(locale, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}

/** The time for today, the day for everything before, with its year when that is another one. */
export function formatMoment(iso: string, locale: string, now = new Date()): string {
  const moment = new Date(iso);
  if (moment.toDateString() === now.toDateString()) return formatTime(iso, locale);
  const day = { month: 'short', day: 'numeric' } as const;
  const isThisYear = moment.getFullYear() === now.getFullYear();
  return formatterOf(locale, isThisYear ? day : { ...day, year: 'numeric' }).format(moment);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes longer than drawing what it formats. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${Object.keys(options).join(' ')}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(timeLocale(locale), options);
  formatters.set(key, formatter);
  return formatter;
}

/** English without a region is written by the 24 hours of most of the world. */
function timeLocale(locale: string): string {
  return locale === 'en' ? 'en-GB' : locale;
}
