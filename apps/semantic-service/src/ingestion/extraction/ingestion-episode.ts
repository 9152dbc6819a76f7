import { type Instant } from '@loci/contracts';
import { type Citation } from '../../features/feature.js';

/** A message as extraction reads it. */
export interface IngestionEpisode extends Citation {
  readonly addedAt: Instant;
  readonly content: string;
}

/** The message without its text. */
export const citationOf = (episode: IngestionEpisode): Citation => ({
  episodeUid: episode.episodeUid,
  projectUid: episode.projectUid,
  producerId: episode.producerId,
  producerRole: episode.producerRole,
  producedForId: episode.producedForId,
  createdAt: episode.createdAt,
  addedAt: episode.addedAt,
  metadata: episode.metadata,
});
