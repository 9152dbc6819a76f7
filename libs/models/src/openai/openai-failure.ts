import { type APIError } from 'openai';
import { failureOfConnection } from '../calls/connection-failure.js';
import { failureOfStatus } from '../calls/http-failure.js';
import { type ProviderFailure } from '../calls/provider-failure.js';
import { isHeaderSource } from '../calls/retry-after.js';

/** Told by its fields, so that the SDK is not loaded for those who never see an error of it. */
const isApiError = (error: unknown): error is APIError =>
  error instanceof Error && 'status' in error && 'headers' in error && 'code' in error;

/** What an error of the OpenAI SDK means. */
export function openAiFailure(error: unknown): ProviderFailure {
  if (!isApiError(error)) return failureOfConnection(error);
  const status: unknown = error.status;
  if (typeof status !== 'number') return failureOfConnection(error);
  const headers: unknown = error.headers;
  return failureOfStatus({
    status,
    headers: isHeaderSource(headers) ? headers : undefined,
    text: error.message,
    code: error.code,
  });
}
