import { type SystemField } from '@loci/contracts';
import { encodeDocument } from '@loci/models';
import { type VectorPoint } from '@loci/vectors';
import { type Episode } from '../episodes/episode.js';
import { type EpisodeInContext } from './episode-in-context.js';

/**
 * The recipe by which an episode becomes a point. Raise it whenever `textToEmbed` or the lexical encoding changes: the
 * reconciler then rebuilds every point of an older recipe.
 */
export const POINT_VERSION = 2;

/** The system fields that a point carries, besides its id and its time: a search filters by them inside the index. */
export const CARRIED_FIELDS: ReadonlySet<SystemField> = new Set([
  'producer_id',
  'producer_role',
  'produced_for_id',
]);

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** What the embedder reads: when, who, what, in answer to what. Questions ask about all four. */
export function textToEmbed({ createdAt, producerId, content, previous }: EpisodeInContext): string {
  const said = `${DAY.format(new Date(createdAt))}. ${producerId}: ${content}`;
  return previous ? `${said} (re: ${previous.ending})` : said;
}

export const toPoint = (episode: Episode, dense: ArrayLike<number>): VectorPoint => ({
  id: episode.uid,
  dense,
  sparse: encodeDocument(episode.content),
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
