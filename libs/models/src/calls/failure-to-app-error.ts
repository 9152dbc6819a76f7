import { AppError, type ResourceKind, tooLarge, unavailable } from '@loci/contracts';
import { kindInWords } from '../resource-definition.js';
import { ProviderFailure } from './provider-failure.js';

const UNAVAILABLE = {
  language_model: 'language_model_unavailable',
  embedder: 'embedder_unavailable',
  reranker: 'reranker_unavailable',
} as const satisfies Record<ResourceKind, string>;

/** The failure of one resource as its callers see it. The failure is its cause. */
export function failureToAppError(
  failure: ProviderFailure,
  { kind, name }: { readonly kind: ResourceKind; readonly name: string },
): AppError {
  const message = `The ${kindInWords(kind)} '${name}' ${failure.message}.`;
  switch (failure.reason) {
    case 'input_too_long':
      return tooLarge('model_input_too_long', message, {}, failure);
    case 'unusable_reply':
    case 'cut_off':
      return unavailable('model_reply_unusable', message, {}, failure);
    default:
      return unavailable(UNAVAILABLE[kind], message, retryDetails(failure), failure);
  }
}

/** Whether a reply did not fit into what the model writes at once: what was asked for less may fit. */
export const isCutOff = (error: unknown): boolean => reasonOf(error) === 'cut_off';

/** Whether a call failed because its model is being left alone: it was not made, and nothing is known of it. */
export const isModelPaused = (error: unknown): boolean => reasonOf(error) === 'paused';

/** Whether a provider did not take this request: it may take others. */
export const isRejected = (error: unknown): boolean => reasonOf(error) === 'rejected';

const reasonOf = (error: unknown): ProviderFailure['reason'] | undefined =>
  error instanceof AppError && error.cause instanceof ProviderFailure ? error.cause.reason : undefined;

const retryDetails = ({ retryAfterMs }: ProviderFailure): { retryAfterSeconds?: number } =>
  retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
