import { PRODUCER, USER } from '../sets/set-identity.js';
import { type Citation, type FeatureRecord } from './feature.js';

const ASSISTANT = 'assistant';

/**
 * Whose memory a message belongs to: of the user that its metadata name; of the one to whom an assistant speaks; else of
 * its producer. What an author says that speaks for one producer alone belongs to this one, whatever else it names.
 */
export function userOf({ metadata, producerId, producerRole, producedForId, isBound }: Citation): string {
  if (isBound) return producerId;
  const named = namedUser(metadata);
  if (named) return named;
  return producerRole === ASSISTANT && producedForId ? producedForId : producerId;
}

/** The user whom the metadata of a message name. */
export const namedUser = (metadata: Citation['metadata']): string | undefined =>
  Object.hasOwn(metadata, USER) ? metadata[USER] : undefined;

/** The metadata that choose the sets of a message: the set of a user takes the messages that belong to this user. */
export const metadataForSets = ({
  producerId,
  metadata,
  isBound,
}: Pick<Citation, 'producerId' | 'metadata' | 'isBound'>): Readonly<Record<string, string>> => ({
  ...metadata,
  [PRODUCER]: producerId,
  ...(isBound && namedUser(metadata) && { [USER]: producerId }),
});

/** Whether a client wrote it, or a message of the user supports it. */
export const isSaidBy = ({ byClient, citations }: FeatureRecord, user: string | undefined): boolean =>
  byClient || citations.some((citation) => userOf(citation) === user);

/** Whether no one but others say it of its subject. What is about no one in particular is none. */
export const isHearsay = (record: FeatureRecord): boolean =>
  record.subject !== undefined && record.subject !== '' && !isSaidBy(record, record.subject);
