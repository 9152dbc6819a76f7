import { AppError, timedOut, unavailable } from '@loci/contracts';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** https://www.postgresql.org/docs/17/errcodes-appendix.html */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const DISK_FULL = '53100';

/**
 * Connection lost or refused (08), shutdown, crash or start-up of the server (57P01 to 57P03), a standby that took no
 * writes (25006), no room for more connections, memory or disk (53).
 */
const OUTAGE_STATE = /^(08|53)|^(57P0[123]|25006)$/;

const REFUSAL_STATE = /^2[23]/;

const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What the driver and its pool say without a code. */
const OUTAGE_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|timeout expired)/;

/** Whether the database could not be reached, or could not work: the same thing may succeed in a moment. */
export function isOutage(error: unknown): boolean {
  if (hasLostItsConnection(error)) return true;
  const { code, message } = driverError(error);
  return OUTAGE_CODES.has(code) || OUTAGE_STATE.test(String(code)) || OUTAGE_MESSAGE.test(String(message));
}

/** Whether the transaction lost against another one, or gave up waiting for it, so that all of it may be tried again. */
export function isConflict(error: unknown): boolean {
  const { code } = driverError(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || code === LOCK_NOT_AVAILABLE;
}

/** Whether the server refused what a statement brought (22: data that it cannot take, 23: a constraint): it will refuse it again. */
export function isRefusal(error: unknown): boolean {
  return REFUSAL_STATE.test(String(driverError(error).code));
}

/** The error for callers: outages, lost conflicts and time-outs as AppErrors, everything else as it is. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code } = driverError(error);
  if (code === DISK_FULL) return databaseFull(error);
  if (isOutage(error) || isConflict(error)) return databaseUnavailable(error);
  if (code === QUERY_CANCELED) {
    return timedOut('deadline_exceeded', 'The answer took too long; try again, or ask for less.', {}, error);
  }
  return error;
}

const databaseUnavailable = (cause: unknown): AppError =>
  unavailable(
    'database_unavailable',
    'The database is not available at the moment; try again in a second.',
    { retryAfterSeconds: 1 },
    cause,
  );

/** To try again in a second would only add to the load: an operator has to act. */
const databaseFull = (cause: unknown): AppError =>
  unavailable(
    'database_unavailable',
    'The disk of the database is full: nothing can be stored until its operator makes room. Try again in a minute.',
    { retryAfterSeconds: 60 },
    cause,
  );

/** What TypeORM says when the connection under a transaction is gone. */
const hasLostItsConnection = (error: unknown): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

/** TypeORM wraps what the driver threw. */
function driverError(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof inner === 'object' && inner !== null ? inner : {};
}
