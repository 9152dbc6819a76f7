import { forbidden } from '@loci/contracts';
import { RequestContext } from './request-context.js';

/** The only producer that the author of the request speaks for; undefined: any, or no request asked for the work. */
export const boundProducer = (): string | undefined => RequestContext.current()?.author?.producer;

/**
 * Refuses what holds for all producers to a key that speaks for one.
 * @param what as in "does not …"
 * @throws AppError `producer_not_allowed`
 */
export function requireUnbound(what: string): void {
  if (boundProducer() === undefined) return;
  throw forbidden(
    'producer_not_allowed',
    `A key that is bound to a producer does not ${what}; use a key that is bound to none.`,
  );
}
