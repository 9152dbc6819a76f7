import { isJsonObject } from '@loci/platform/schema';
import { failureOfConnection } from './connection-failure.js';
import { causesOf } from './error-like.js';
import { failureOfStatus } from './http-failure.js';
import { type ProviderFailure } from './provider-failure.js';
import { type HeaderSource } from './retry-after.js';

/** An answer other than success. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';

  constructor(
    readonly status: number,
    readonly headers: HeaderSource,
    /** The beginning of the body. */
    readonly text: string,
  ) {
    super(`HTTP ${status}`);
  }
}

/** The answer that an error tells of, also where an SDK has wrapped it. */
export const statusErrorIn = (error: unknown): HttpStatusError | undefined =>
  [...causesOf(error)].find((cause) => cause instanceof HttpStatusError);

/** What an error of a call over the checked fetch means. */
export function httpFailure(error: unknown): ProviderFailure {
  const refusal = statusErrorIn(error);
  if (!refusal) return failureOfConnection(error);
  return failureOfStatus({ ...refusal, headers: refusal.headers, text: wordsIn(refusal.text) });
}

/** What a body says to people, wherever its provider has it; the body itself where that is not known. */
export function wordsIn(body: string): string {
  const { error, message, detail } = jsonIn(body);
  const words = [isJsonObject(error) ? error['message'] : error, message, detail];
  return words.find((one): one is string => typeof one === 'string') ?? body;
}

/** The object that a body is, or an empty one. */
export function jsonIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
