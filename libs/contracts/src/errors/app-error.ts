import { type CodesOf, type ErrorCode, type ErrorKind, ERROR_KINDS } from './error-codes.js';

/** One problem of a request, in the shape that clients read: where (`loc`), what (`msg`) and a stable slug (`type`). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface ErrorDetails {
  /** Every problem of an invalid request; only with kind `invalid`. */
  readonly problems?: readonly Problem[];
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** Further fields of the public answer, by their public names. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * The one error class of the project. It knows no HTTP status: the gateway has the table from kind to status.
 * `message` is one clear sentence, safe for clients; the story behind it goes into `cause` and the log.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = ERROR_KINDS[code];
  }
}

type Factory<Kind extends ErrorKind> = (
  code: CodesOf<Kind>,
  message: string,
  details?: ErrorDetails,
  cause?: unknown,
) => AppError;

const factory =
  <Kind extends ErrorKind>(): Factory<Kind> =>
  (code, message, details, cause) =>
    new AppError(code, message, details, cause);

export const unauthenticated = factory<'unauthenticated'>();
export const forbidden = factory<'forbidden'>();
export const notFound = factory<'not_found'>();
export const conflict = factory<'conflict'>();
export const tooLarge = factory<'too_large'>();
export const rateLimited = factory<'rate_limited'>();
export const internal = factory<'internal'>();
export const unavailable = factory<'unavailable'>();
export const timedOut = factory<'timeout'>();

/** A request that cannot be understood. The message names the first problem; `details.problems` has them all. */
export function invalid(code: CodesOf<'invalid'>, problems: readonly [Problem, ...Problem[]]): AppError {
  return new AppError(code, problems[0].msg, { problems });
}

/** Whether a service, or what it needs, gave no answer: another try may get one. */
export const isUnanswered = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === 'unavailable' || error.kind === 'timeout');

/** Whether what was asked for is more than one answer, or one step, may hold: less of it may fit. */
export const isTooLarge = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'body_too_large';

/** The failure as an AppError: itself if it is one, otherwise `internal_error` with the story as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return internal('internal_error', 'Something went wrong on our side; try again later.', {}, error);
}
