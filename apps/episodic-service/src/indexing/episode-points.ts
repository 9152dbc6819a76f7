import { encodeDocument } from '@loci/models';
import { type PointFields, type VectorPoint } from '@loci/vectors';
import { type Episode } from '../episodes/episode.js';
import { type EpisodeInContext } from './episode-in-context.js';

/**
 * The recipe by which an episode becomes a point. Raise it whenever `textToEmbed`, `textToMatch` or the lexical encoding changes: the
 * reconciler then rebuilds every point of an older recipe.
 */
export const POINT_VERSION = 3;

/** What a point carries, besides its id and its time: a search filters by it inside the index. */
export const POINT_FIELDS: PointFields = {
  fields: new Set(['producer_id', 'producer_role', 'produced_for_id']),
  metadata: true,
};

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** What the lexical leg reads: when, who, what. Questions name all three. */
export const textToMatch = ({ createdAt, producerId, content }: Episode): string =>
  `${DAY.format(new Date(createdAt))}. ${producerId}: ${content}`;

/** What the embedder reads: what was said, and in answer to what. Who and when are scored by cues of their own. */
export const textToEmbed = ({ previous, content }: EpisodeInContext): string =>
  previous ? `${content} (re: ${previous.ending})` : content;

export const toPoint = (episode: Episode, dense: ArrayLike<number>): VectorPoint => ({
  id: episode.uid,
  dense,
  sparse: encodeDocument(textToMatch(episode)),
  version: POINT_VERSION,
  payload: {
    metadata: episode.metadata,
    createdAt: episode.createdAt,
    fields: {
      producer_id: episode.producerId,
      producer_role: episode.producerRole,
      produced_for_id: episode.producedForId,
    },
  },
});
