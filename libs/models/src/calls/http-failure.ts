import { ProviderFailure } from './provider-failure.js';
import { type HeaderSource, retryAfterMs } from './retry-after.js';

export interface HttpRefusal {
  readonly status: number;
  readonly headers?: HeaderSource | undefined;
  /** The provider's own words. */
  readonly text: string;
  /** The provider's slug or exception name. */
  readonly code?: string | null | undefined;
}

const TOO_LONG =
  /context[_ ](?:length|window)|maximum context|too long|too many (?:input )?tokens|max(?:imum)?[_ ](?:input[_ ])?(?:tokens|length)|max (?:allowed|\d+) tokens|exceeds? the (?:model|limit|maximum number of tokens)/i;
const UNKNOWN_MODEL = /model.{0,80}(?:not found|does not exist|identifier is invalid|not exist)/is;

/** What an HTTP status other than success means, the same for all providers. */
export function failureOfStatus({ status, headers, text, code }: HttpRefusal): ProviderFailure {
  const details = { status, retryAfterMs: retryAfterMs(headers), providerText: text };
  if (status >= 300 && status < 400) {
    return new ProviderFailure(
      'misconfigured',
      `answered with a redirect (HTTP ${status}), which is not followed; enter the address it really has`,
      details,
    );
  }
  if (status === 401 || status === 403) {
    return new ProviderFailure(
      'unauthorized',
      `refused our credentials (HTTP ${status}); check the key and what it may use`,
      details,
    );
  }
  if (status === 404 || (status < 500 && UNKNOWN_MODEL.test(text))) {
    return new ProviderFailure(
      'unknown_model',
      `does not know this model or address (HTTP ${status}); check the model's name and the address`,
      details,
    );
  }
  if (status === 402 || (status === 429 && code === 'insufficient_quota')) {
    return new ProviderFailure('unauthorized', 'says that the quota of the account is used up', details);
  }
  if (status === 429 || status === 529) {
    return new ProviderFailure(
      'overloaded',
      `takes no more requests for now (HTTP ${status}); try again later`,
      details,
    );
  }
  if (status === 400 && code === 'content_filter') {
    return new ProviderFailure('unusable_reply', 'refused to answer', details);
  }
  if (status === 408 || status === 504) {
    return new ProviderFailure('timeout', `did not answer in time (HTTP ${status})`, details);
  }
  if (status >= 500 || status === 424) {
    return new ProviderFailure('broken', `failed (HTTP ${status})`, details);
  }
  if (status === 413 || code === 'context_length_exceeded' || TOO_LONG.test(text)) {
    return new ProviderFailure('input_too_long', 'does not read as much text as it was given', details);
  }
  return new ProviderFailure('rejected', `rejected the request (HTTP ${status})`, details);
}
