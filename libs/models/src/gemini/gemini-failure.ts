import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { aiSdkFailure } from '../ai-sdk/ai-sdk-failure.js';
import { jsonIn, statusErrorIn } from '../calls/http-status-error.js';
import { ProviderFailure } from '../calls/provider-failure.js';

/** What an error of the Gemini API means: that of a key is a 400, and the pause that it asks for stands in the body. */
export function geminiFailure(error: unknown): ProviderFailure {
  const failure = aiSdkFailure(error);
  const refusal = statusErrorIn(error);
  if (!refusal) return failure;
  const { status, providerText } = failure;
  const details = detailsIn(refusal.text);
  if (details.some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return new ProviderFailure(
      'unauthorized',
      `refused our credentials (HTTP ${refusal.status}); check the key and what it may use`,
      { status, providerText },
    );
  }
  const retryAfterMs = failure.retryAfterMs ?? pauseIn(details);
  return new ProviderFailure(failure.reason, failure.message, { status, retryAfterMs, providerText });
}

/** The `details` of an error as APIs of Google give it. */
function detailsIn(body: string): JsonObject[] {
  const { error } = jsonIn(body);
  const details = isJsonObject(error) ? error['details'] : undefined;
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}

/** Of a `google.rpc.RetryInfo`: `"retryDelay": "34.5s"`. */
function pauseIn(details: readonly JsonObject[]): number | undefined {
  const delay = details.map(({ retryDelay }) => retryDelay).find((given) => typeof given === 'string');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(typeof delay === 'string' ? delay : '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
