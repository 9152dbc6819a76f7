import { encodeDocument, inContext, READ_IN_WINDOWS, WINDOW_CHARACTERS } from '@loci/models';
import { type PointFields, type VectorPoint } from '@loci/vectors';
import { type Episode } from '../episodes/episode.js';
import { type EpisodeInContext } from './episode-in-context.js';

/**
 * The recipes by which episodes become points: of one whose text is longer than any that a model reads as a whole, and of all
 * others; those whose producer is that of a key changed last, when points began to carry it. Raise all above all that were
 * whenever `textToEmbed`, `textToMatch`, the lexical encoding or what points carry changes: the reconciler then renews every point
 * of an older recipe.
 */
const POINT_VERSIONS = { short: 3, long: 4 } as const;
const BOUND_POINT_VERSIONS = { short: 5, long: 6 } as const;

/** By bytes, because PostgreSQL knows these without reading a long text: some that are read as a whole count as long. */
export const pointVersionOf = ({ content, isBound }: Pick<Episode, 'content' | 'isBound'>): number =>
  (isBound ? BOUND_POINT_VERSIONS : POINT_VERSIONS)[
    Buffer.byteLength(content) > WINDOW_CHARACTERS ? 'long' : 'short'
  ];

/** The same of a row in the collection `$1`, unless what embeds there reads long texts as it always did. */
export const POINT_VERSION_SQL = `CASE
  WHEN octet_length(content) > ${WINDOW_CHARACTERS} AND $1 IN (${READ_IN_WINDOWS.map((name) => `'${name}'`).join(', ')})
  THEN ${sqlVersion('long')} ELSE ${sqlVersion('short')} END`;

/** What a point carries, besides its id and its time: a search filters by it inside the index. */
export const POINT_FIELDS: PointFields = {
  fields: new Set(['producer_id', 'producer_role', 'produced_for_id', 'bound_producer']),
  metadata: true,
};

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** What the lexical leg reads: when, who, what. Questions name all three. */
export const textToMatch = ({
  createdAt,
  producerId,
  content,
}: Pick<Episode, 'createdAt' | 'producerId' | 'content'>): string =>
  `${DAY.format(new Date(createdAt))}. ${producerId}: ${content}`;

/** What the embedder reads: what was said, and in answer to what. Who and when are scored by cues of their own. */
export const textToEmbed = ({ previous, content }: EpisodeInContext): string =>
  inContext(content, previous?.ending);

export const toPoint = (episode: Episode, dense: ArrayLike<number>): VectorPoint => ({
  id: episode.uid,
  dense,
  sparse: encodeDocument(textToMatch(episode)),
  version: pointVersionOf(episode),
  payload: {
    metadata: episode.metadata,
    createdAt: episode.createdAt,
    fields: {
      producer_id: episode.producerId,
      producer_role: episode.producerRole,
      produced_for_id: episode.producedForId,
      ...(episode.isBound && { bound_producer: episode.producerId }),
    },
  },
});

function sqlVersion(length: keyof typeof POINT_VERSIONS): string {
  return `CASE WHEN is_bound THEN ${BOUND_POINT_VERSIONS[length]} ELSE ${POINT_VERSIONS[length]} END`;
}
