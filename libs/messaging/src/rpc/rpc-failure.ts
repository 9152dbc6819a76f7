import { AppError, internal, timedOut, tooLarge, unavailable } from '@loci/contracts';
import { errors } from '@nats-io/transport-node';
import { ConnectionLostError } from '../connection/nats-unreachable.error.js';

/** Whether the driver refused to send something because it is larger than the server takes (`max_payload`). */
export const exceedsMaxPayload = (error: unknown): boolean =>
  error instanceof errors.InvalidArgumentError && error.message.includes('max_payload');

/** What a caller is told when a request got no answer. */
export function rpcFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.TimeoutError) return deadlineExceeded(error);
  if (exceedsMaxPayload(error)) {
    return tooLarge('body_too_large', 'The request is too large; send fewer items at once.', {}, error);
  }
  return isOutage(error) ? serviceUnavailable(error) : internal('internal_error', UNFORESEEN, {}, error);
}

export const deadlineExceeded = (cause?: unknown): AppError =>
  timedOut('deadline_exceeded', 'The answer took too long; try again.', {}, cause);

export const serviceUnavailable = (cause?: unknown): AppError =>
  unavailable(
    'service_unavailable',
    'A part of the service is not available at the moment; try again in a second.',
    { retryAfterSeconds: 1 },
    cause,
  );

const UNFORESEEN = 'Something went wrong on our side; try again later.';

/** No responders, no connection, or one that is being closed. */
const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionLostError ||
  error instanceof errors.RequestError ||
  error instanceof errors.ClosedConnectionError ||
  error instanceof errors.DrainingConnectionError;
