import { type AppError, rateLimited, unavailable } from '@loci/contracts';
import { type Level } from './shares.js';

/** What a caller is told when there is no more to be had. @param share whose is used up */
export const capacityRefusal = (
  share: Level,
  { retryAfterSeconds }: { readonly retryAfterSeconds: number },
): AppError =>
  share === 'process'
    ? unavailable('service_unavailable', `The service has too much to do at the moment; ${LATER}`, {
        retryAfterSeconds,
      })
    : rateLimited('overloaded', `Too many requests of this ${share} at once; ${LATER}`, {
        retryAfterSeconds,
      });

const LATER = 'try again later, with fewer or smaller ones at a time.';
