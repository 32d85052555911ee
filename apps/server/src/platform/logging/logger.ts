import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

/** Paths that may hold a credential or a person's words. They are cut before a line is written. */
const REDACTED = [
  'authorization',
  'token',
  'secret',
  'password',
  '*.authorization',
  '*.token',
  '*.secret',
  '*.password',
  'request.headers.authorization',
  'request.headers.cookie',
];

/** A callback's token stands in its path: whoever reads the log must not be able to answer for a job. */
export function withoutTokens(url: string): string {
  return url.replace(/cbt_[A-Za-z0-9_-]+/g, 'cbt_…').replace(/(signature|token)=[^&]+/g, '$1=…');
}

/** One JSON line an entry. Every line about a tenant's work carries `tenant`. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { service: 'plinth' }, redact: { paths: REDACTED, censor: '[redacted]' } };
  return destination ? pino(options, destination) : pino(options);
}

/** Nest's own messages, through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }
}
