import { USER } from '../sets/set-identity.js';
import { type Citation, type FeatureRecord } from './feature.js';

const ASSISTANT = 'assistant';

/**
 * Whose memory a message belongs to: of the user that its metadata name; of the one to whom an assistant speaks; else of
 * its producer.
 */
export function userOf({ metadata, producerId, producerRole, producedForId }: Citation): string {
  const named = Object.hasOwn(metadata, USER) ? metadata[USER] : undefined;
  if (named) return named;
  return producerRole === ASSISTANT && producedForId ? producedForId : producerId;
}

/** Whether a client wrote it, or a message of the user supports it. */
export const isSaidBy = ({ byClient, citations }: FeatureRecord, user: string | undefined): boolean =>
  byClient || citations.some((citation) => userOf(citation) === user);

/** Whether no one but others say it of its subject. */
export const isHearsay = (record: FeatureRecord): boolean =>
  record.subject !== undefined && !isSaidBy(record, record.subject);
