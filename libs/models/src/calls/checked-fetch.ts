import { HttpStatusError } from './http-status-error.js';
import { type EgressGuard, type GuardedFetch } from '../egress/egress-guard.js';

/** Errors are small; of what is not one, the beginning is enough. */
const MAX_ERROR_CHARACTERS = 10_000;

/**
 * The guarded fetch, for which answers other than success are errors: of those, SDKs do not tell all that we have to know,
 * such as the pause that a provider asks for.
 */
export const checkedFetch =
  ({ fetch }: Pick<EgressGuard, 'fetch'>): GuardedFetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (response.ok) return response;
    const text = (await response.text()).slice(0, MAX_ERROR_CHARACTERS);
    throw new HttpStatusError(response.status, response.headers, text);
  };
