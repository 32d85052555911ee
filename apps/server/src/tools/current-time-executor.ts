import { type Clock, type ToolExecutor, type ToolInvocation, type ToolOutcome, toIso } from '@plinth/engine';
import type { JsonValue, TenantId } from '@plinth/protocol';

/**
 * The builtin `current_time`: the time in UTC and, when the arguments name an IANA `timeZone`, the local date,
 * time and weekday there.
 */
export class CurrentTimeExecutor implements ToolExecutor {
  constructor(private readonly clock: Clock) {}

  async execute(_tenant: TenantId, invocation: ToolInvocation): Promise<ToolOutcome> {
    const now = this.clock.now();
    const { timeZone } = invocation.arguments;
    if (timeZone === undefined || timeZone === null) return succeeded({ utc: toIso(now) });
    const local = typeof timeZone === 'string' ? localTime(now, timeZone) : null;
    if (local === null) {
      const message = `timeZone: expected an IANA name such as "Europe/Berlin", got ${JSON.stringify(timeZone)}`;
      return { kind: 'failed', error: { code: 'invalid_arguments', message } };
    }
    return succeeded({ utc: toIso(now), timeZone, local });
  }
}

const succeeded = (value: JsonValue): ToolOutcome => ({ kind: 'succeeded', value, files: [] });

function localTime(now: number, timeZone: string): JsonValue {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
    return {
      date: `${part.year}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
      weekday: part.weekday ?? '',
    };
  } catch {
    // RangeError: no such time zone.
    return null;
  }
}
