import { instantFromDate } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { type IngestionEpisode } from '../src/ingestion/extraction/ingestion-episode.js';

/** A message that says whatever a test does not. */
export const specEpisode = (given: Partial<IngestionEpisode> = {}): IngestionEpisode => ({
  episodeUid: uuidv7(),
  projectUid: uuidv7(),
  content: 'I paint.',
  producerId: 'alice',
  producerRole: 'user',
  producedForId: 'bot',
  createdAt: instantFromDate(new Date(Date.UTC(2026, 0, 1))),
  addedAt: instantFromDate(new Date()),
  metadata: {},
  ...given,
});
