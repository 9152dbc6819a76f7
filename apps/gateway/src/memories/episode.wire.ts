import { type Episode, type FoundEpisode, type Tenant } from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { instantText, textMap } from '../wire/answers.js';
import { explanationAnswer, fromExplanation } from './explanation.wire.js';
import { wireInstant } from '../wire/instant.wire.js';

const EPISODE = {
  uid: Type.String(),
  content: Type.String(),
  producer_id: Type.String(),
  producer_role: Type.String(),
  produced_for_id: Type.String(),
  episode_type: Type.Literal('message'),
  created_at: instantText,
  metadata: Type.Optional({ ...textMap, description: 'Absent when empty.' }),
  author: Type.Optional(authorAnswer),
  expires_at: Type.Optional({
    ...instantText,
    description: 'From then on no answer shows it, and it is deleted. Absent = it does not expire.',
  }),
};

/** An episode as search shows it. */
export const episodeAnswer = Type.Object(
  {
    ...EPISODE,
    score: Type.Optional(
      Type.Number({
        description:
          'Higher is better, 0 to 1; it does not depend on the other hits. On long-term entries only.',
      }),
    ),
    explanation: Type.Optional(explanationAnswer),
  },
  { title: 'EpisodeResponse' },
);
export type EpisodeAnswer = Static<typeof episodeAnswer>;

/** An episode as list shows it. */
export const listedEpisodeAnswer = Type.Object(
  {
    ...EPISODE,
    session_key: Type.String({ description: 'Organization and project: `acme/travel-agent`.' }),
    sequence_num: Type.Literal(0),
    content_type: Type.Literal('string'),
  },
  { title: 'Episode' },
);
export type ListedEpisodeAnswer = Static<typeof listedEpisodeAnswer>;

export const fromEpisode = (episode: Episode): EpisodeAnswer => ({
  uid: episode.uid,
  content: episode.content,
  producer_id: episode.producerId,
  producer_role: episode.producerRole,
  produced_for_id: episode.producedForId,
  episode_type: 'message',
  created_at: wireInstant(episode.createdAt),
  ...(Object.keys(episode.metadata).length > 0 && { metadata: episode.metadata }),
  ...(episode.author && { author: fromAuthor(episode.author) }),
  ...(episode.expiresAt && { expires_at: wireInstant(episode.expiresAt) }),
});

export const fromFoundEpisode = (episode: FoundEpisode): EpisodeAnswer => ({
  ...fromEpisode(episode),
  score: episode.score,
  ...(episode.explanation && { explanation: fromExplanation(episode.explanation) }),
});

export const fromListedEpisode = (episode: Episode, { orgId, projectId }: Tenant): ListedEpisodeAnswer => ({
  ...fromEpisode(episode),
  session_key: `${orgId}/${projectId}`,
  sequence_num: 0,
  content_type: 'string',
});
