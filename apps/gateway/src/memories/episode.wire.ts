import { type Episode, type FoundEpisode, type Tenant } from '@loci/contracts';
import { wireInstant } from '../wire/instant.wire.js';

/** An episode as search shows it (`EpisodeResponse`). */
export interface EpisodeAnswer {
  readonly uid: string;
  readonly content: string;
  readonly producer_id: string;
  readonly producer_role: string;
  readonly produced_for_id: string;
  readonly episode_type: 'message';
  readonly created_at: string;
  /** Absent when empty. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** On long-term entries only. */
  readonly score?: number;
}

/** An episode as list shows it (`Episode`). */
export interface ListedEpisodeAnswer extends EpisodeAnswer {
  readonly session_key: string;
  readonly sequence_num: 0;
  readonly content_type: 'string';
}

export const fromEpisode = (episode: Episode): EpisodeAnswer => ({
  uid: episode.uid,
  content: episode.content,
  producer_id: episode.producerId,
  producer_role: episode.producerRole,
  produced_for_id: episode.producedForId,
  episode_type: 'message',
  created_at: wireInstant(episode.createdAt),
  ...(Object.keys(episode.metadata).length > 0 && { metadata: episode.metadata }),
});

export const fromFoundEpisode = (episode: FoundEpisode): EpisodeAnswer => ({
  ...fromEpisode(episode),
  score: episode.score,
});

export const fromListedEpisode = (episode: Episode, { orgId, projectId }: Tenant): ListedEpisodeAnswer => ({
  ...fromEpisode(episode),
  session_key: `${orgId}/${projectId}`,
  sequence_num: 0,
  content_type: 'string',
});
