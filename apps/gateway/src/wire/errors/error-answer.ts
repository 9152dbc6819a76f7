import { type AppError, type ErrorKind, type Problem, toAppError } from '@loci/contracts';
import { HttpException } from '@nestjs/common';
import { BadRequestError } from './bad-request.error.js';

/** What a client gets for a failure. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The stable slug of the failure, as in the body, for the log. */
  readonly code: string;
}

/** The one table with the status of each kind of failure. */
export const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
};

/** What can go wrong in HTTP itself: no service has a word for it. */
export const HTTP_FAILURES: Readonly<Record<number, { code: string; detail: string }>> = {
  400: { code: 'bad_request', detail: 'The request is not valid HTTP; check its path, headers and length.' },
  404: {
    code: 'route_not_found',
    detail: 'There is nothing at this path; the paths of this API begin with /api/v2.',
  },
  405: {
    code: 'method_not_allowed',
    detail: 'This path does not take this method; the Allow header names those that it takes.',
  },
  408: { code: 'request_timeout', detail: 'The request did not arrive in time; send it again.' },
  413: { code: 'body_too_large', detail: 'The body is too large; send fewer or shorter items at once.' },
  415: {
    code: 'unsupported_media_type',
    detail: 'Send the body as JSON in UTF-8, uncompressed, with the header content-type: application/json.',
  },
  421: {
    code: 'host_not_served',
    detail:
      'Without authentication only names of this machine are served, like localhost; list the name in ALLOWED_HOSTS, or set AUTH=on.',
  },
  431: { code: 'headers_too_large', detail: 'The headers are too large; shorten them.' },
};

const DEFAULT_RETRY_SECONDS = 1;

/** Turns whatever was thrown into the answer for the client. Nothing of an unforeseen error gets out. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof BadRequestError) {
    const { code, message } = error;
    return { status: 400, headers: {}, code, body: { detail: message, code } };
  }
  const status = httpStatusOf(error);
  return (status !== undefined && httpFailureAnswer(status)) || appErrorAnswer(toAppError(error));
}

/** @returns undefined when the status stands for no failure of HTTP itself */
export function httpFailureAnswer(status: number): ErrorAnswer | undefined {
  const failure = HTTP_FAILURES[status];
  if (!failure) return undefined;
  const { code, detail } = failure;
  return { status, headers: {}, code, body: { detail, code } };
}

/** The status of an error of Nest or Fastify. */
function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const isFastifyError = error instanceof Error && error.name === 'FastifyError' && 'statusCode' in error;
  return isFastifyError ? Number(error.statusCode) : undefined;
}

function appErrorAnswer(error: AppError): ErrorAnswer {
  const { code, message, kind, details } = error;
  const body =
    kind === 'invalid'
      ? { detail: details.problems ?? [unplaced(error)] }
      : { detail: message, code, ...details.fields };
  return { status: STATUS[kind], headers: headersOf(error), code, body };
}

const unplaced = ({ message, code }: AppError): Problem => ({ loc: ['body'], msg: message, type: code });

function headersOf({ kind, details: { retryAfterSeconds } }: AppError): Record<string, string> {
  if (kind === 'unauthenticated') return { 'www-authenticate': 'Bearer' };
  const isForLater = kind === 'unavailable' || kind === 'rate_limited';
  const seconds = retryAfterSeconds ?? (isForLater ? DEFAULT_RETRY_SECONDS : undefined);
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
}
