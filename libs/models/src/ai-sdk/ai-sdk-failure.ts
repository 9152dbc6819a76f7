import { causesOf, textOf } from '../calls/error-like.js';
import { httpFailure, statusErrorIn } from '../calls/http-status-error.js';
import { type ProviderFailure } from '../calls/provider-failure.js';
import { notAReply } from './ai-sdk-client.js';

/** What an error of a provider package of the AI SDK means. Told by names, so that none is loaded for it. */
export function aiSdkFailure(error: unknown): ProviderFailure {
  const isOfAnotherShape = [...causesOf(error)].some(
    (cause) => textOf(cause, 'name') === 'AI_TypeValidationError',
  );
  return isOfAnotherShape && !statusErrorIn(error) ? notAReply() : httpFailure(error);
}
