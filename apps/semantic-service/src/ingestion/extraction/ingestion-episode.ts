import { type Instant } from '@loci/contracts';

/** An episode that a feature was learned from, with what filters ask of it. */
export interface Citation {
  readonly episodeUid: string;
  readonly projectUid: string;
  readonly producerId: string;
  readonly producerRole: string;
  readonly producedForId: string;
  readonly createdAt: Instant;
  readonly addedAt: Instant;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A message as extraction reads it. */
export interface IngestionEpisode extends Citation {
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
