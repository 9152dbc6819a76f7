import { type Episode, type FoundEpisode, type Tenant } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { instantText, textMap } from '../wire/answers.js';
import { explanationAnswer, fromExplanation } from '../wire/explanation.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

const EPISODE = {
  uid: described(Type.String(), 'Id of the episode, as adding it answered.', EXAMPLE_UID),
  content: described(Type.String(), 'What was said, as it was added.', 'Alice prefers window seats.'),
  producer_id: described(Type.String(), 'Who said it: the `producer` of the message.', 'alice'),
  producer_role: described(Type.String(), 'The `role` of the message; empty when it had none.', 'user'),
  produced_for_id: described(
    Type.String(),
    'Whom it was said to: the `produced_for` of the message; empty when it had none.',
    'travel-agent',
  ),
  episode_type: described(Type.Literal('message'), 'Always `message`.'),
  created_at: described(
    instantText,
    'When it was said: the `timestamp` of the message, in UTC.',
    EXAMPLE_INSTANT,
  ),
  metadata: Type.Optional({ ...textMap, description: 'Absent when empty.' }),
  author: described(Type.Optional(authorAnswer), 'The caller that added it; absent when that was not noted.'),
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
          'Higher is better, 0 to 1; it does not depend on the other hits. Absent on entries that are not ranked, those of short-term memory.',
      }),
    ),
    explanation: described(
      Type.Optional(explanationAnswer),
      'What the score is made of, of a ranked entry. Absent unless the request asks to explain.',
    ),
  },
  { title: 'EpisodeResponse' },
);
export type EpisodeAnswer = Static<typeof episodeAnswer>;

/** An episode as list shows it. */
export const listedEpisodeAnswer = Type.Object(
  {
    ...EPISODE,
    session_key: Type.String({ description: 'Organization and project: `acme/travel-agent`.' }),
    sequence_num: described(Type.Literal(0), 'Always 0; kept for clients of MemMachine.'),
    content_type: described(Type.Literal('string'), 'Always `string`; kept for clients of MemMachine.'),
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
