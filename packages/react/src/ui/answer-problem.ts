import type { PlinthClientError } from '@plinth/client';
import type { AnsweredBy } from '@plinth/protocol';
import { formatTime } from './moments.js';
import type { UiStrings } from './strings.js';

/** What to tell the person whose answer was refused. Who came second learns who came first. */
export function answerProblem(error: PlinthClientError, strings: UiStrings, locale: string): string {
  switch (error.code) {
    case 'interrupt_already_answered':
      return strings.answeredElsewhere(kindOf(error.facts.by), timeOf(error.facts.answeredAt, locale));
    case 'interrupt_closed':
      return strings.answerTooLate;
    case 'answer_invalid':
      return strings.checkFields;
    default:
      return strings.answerNotSent;
  }
}

/** Only the same end user and the business itself can see a thread, so the end user is the reader. */
function kindOf(by: unknown): AnsweredBy['kind'] {
  const kind = typeof by === 'object' && by !== null && 'kind' in by ? by.kind : null;
  return kind === 'api_key' || kind === 'remote' || kind === 'platform' ? kind : 'end_user';
}

function timeOf(at: unknown, locale: string): string | null {
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? formatTime(at, locale) : null;
}
