import { forbidden } from '@loci/contracts';
import { boundProducer } from '@loci/platform';
import { PRODUCER, USER } from './set-identity.js';
import { type MemorySet } from './set.js';

/** What says whom a fact is about. */
interface Fact {
  readonly subject?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Refuses a key that is bound to a producer to vouch for a fact about another user: what its messages say of others is
 * hearsay, and what it writes by hand would be more than that. A fact is about its subject, about whom its set is named
 * after, alone or beside others, and, for searches and profiles, about the user whom its metadata names.
 * @throws AppError `producer_not_allowed`
 */
export function requireOwnFact({ subject, metadata }: Fact, set: Pick<MemorySet, 'tags'>): void {
  const producer = boundProducer();
  if (producer === undefined) return;
  const users = [subject, metadata?.[USER], set.tags[PRODUCER], set.tags[USER]];
  if (users.every((user) => !user || user === producer)) return;
  throw forbidden(
    'producer_not_allowed',
    `This key speaks for the producer ${JSON.stringify(producer)} alone: by hand it writes what is about that one, or about no one. Use a key that is bound to no producer.`,
  );
}
