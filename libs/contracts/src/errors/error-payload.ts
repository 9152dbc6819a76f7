import { AppError, type ErrorDetails } from './app-error.js';
import { isErrorCode } from './error-codes.js';

/** How an AppError travels between services: no cause, no stack. */
export interface ErrorPayload {
  readonly code: string;
  readonly message: string;
  readonly details: ErrorDetails;
}

export const toErrorPayload = (error: AppError): ErrorPayload => ({
  code: error.code,
  message: error.message,
  details: error.details,
});

/** The AppError that a service sent; a code that this version does not know becomes `internal_error`. */
export function fromErrorPayload(payload: ErrorPayload): AppError {
  return new AppError(
    isErrorCode(payload.code) ? payload.code : 'internal_error',
    payload.message,
    payload.details,
  );
}
