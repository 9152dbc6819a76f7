import { failureOfConnection } from '../calls/connection-failure.js';
import { failureOfStatus } from '../calls/http-failure.js';
import { type ProviderFailure } from '../calls/provider-failure.js';
import { type HeaderSource } from '../calls/retry-after.js';

/** An answer of Cohere other than 200. */
export class CohereStatusError extends Error {
  override readonly name = 'CohereStatusError';

  constructor(
    readonly status: number,
    readonly headers: HeaderSource,
    readonly text: string,
  ) {
    super(`HTTP ${status}`);
  }
}

export const cohereFailure = (error: unknown): ProviderFailure =>
  error instanceof CohereStatusError ? failureOfStatus(error) : failureOfConnection(error);
