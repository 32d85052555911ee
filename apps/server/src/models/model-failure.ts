import { isUnfetchedImage, ModelError, recogniseOverflow } from '@plinth/engine';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

const MAX_DETAIL_LENGTH = 500;

/** Names a failure of the openai package or of the connection. What is no such failure is returned as it is. */
export function modelFailure(error: unknown): unknown {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelError('timeout', true, 'The model endpoint did not accept the connection in time.');
  }
  if (error instanceof APIConnectionError) {
    return new ModelError(
      'unreachable',
      true,
      `The model endpoint could not be reached (${causeOf(error)}).`,
    );
  }
  if (error instanceof APIError) return apiFailure(error);
  if (error instanceof SyntaxError) {
    return new ModelError('bad_response', true, 'The model endpoint sent something that is not JSON.');
  }
  // A connection that breaks inside the body rises from fetch as a bare TypeError.
  if (error instanceof TypeError && error.cause !== undefined) {
    return new ModelError(
      'unreachable',
      true,
      `The connection to the model endpoint broke (${causeOf(error)}).`,
    );
  }
  return error;
}

function apiFailure({ status, message, code, type, error }: InstanceType<typeof APIError>): ModelError {
  const detail = withoutSignatures(message).slice(0, MAX_DETAIL_LENGTH);
  const said = [message, code, type, JSON.stringify(error)].join('\n');
  const overflow = recogniseOverflow(status, said);
  if (overflow !== null) {
    const told = `The model endpoint refused the request as too large: ${detail}`;
    return new ModelError('context_overflow', false, told, overflow);
  }
  if (isUnfetchedImage(status, said))
    return new ModelError(
      'images_unfetched',
      false,
      `The model endpoint could not fetch an image from its address: ${detail}`,
    );
  // Without a status it came as an event inside a stream that had begun well.
  if (status === undefined)
    return new ModelError('server_error', true, `The model endpoint failed: ${detail}`);
  if (status === 429) {
    // A used-up balance is told with the same status as too much haste, but does not pass by waiting.
    return new ModelError(
      'throttled',
      code !== 'insufficient_quota',
      `The model endpoint asks to slow down: ${detail}`,
    );
  }
  if (status === 408) return new ModelError('timeout', true, `The model endpoint gave up: ${detail}`);
  if (status >= 500) return new ModelError('server_error', true, `The model endpoint failed: ${detail}`);
  return new ModelError('rejected', false, `The model endpoint refused the request: ${detail}`);
}

/** An endpoint repeats the address that it could not read; with its signature anybody could, who reads a log or an error. */
const withoutSignatures = (text: string): string => text.replaceAll(/([?&]signature=)[\w-]+/g, '$1…');

function causeOf(error: Error): string {
  let cause: unknown = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message.slice(0, MAX_DETAIL_LENGTH);
}
