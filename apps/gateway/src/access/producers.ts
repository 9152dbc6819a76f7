import { forbidden } from '@loci/contracts';
import { type Caller } from './caller.js';

const DEFAULT_PRODUCER = 'user';

/**
 * Who says a message of a caller: the one that it names, else the one that its key is bound to.
 * @throws AppError `producer_not_allowed` when the key is bound to another one
 */
export function producerFor({ producer: bound }: Caller, named: string | undefined): string {
  if (bound === undefined) return named ?? DEFAULT_PRODUCER;
  if (named !== undefined && named !== bound) throw speaksForAnother(bound);
  return bound;
}

/**
 * The producer of a key that a caller makes: no key speaks for more producers than the one that made it.
 * @throws AppError `producer_not_allowed`
 */
export function producerOfKey({ producer: bound }: Caller, named: string | undefined): string | undefined {
  if (bound !== undefined && named !== undefined && named !== bound) throw speaksForAnother(bound);
  return named ?? bound;
}

const speaksForAnother = (bound: string): Error =>
  forbidden(
    'producer_not_allowed',
    `This key speaks for the producer ${JSON.stringify(bound)} alone; name that one or none, or use another key.`,
  );
