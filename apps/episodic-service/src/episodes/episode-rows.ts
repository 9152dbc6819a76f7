import { ACTOR_KINDS, type Author, type Filter, type IngestedSet, type Instant } from '@loci/contracts';
import {
  type FieldColumns,
  filterToSql,
  narrowed,
  rowColumns,
  type RowOf,
  type SqlPredicate,
} from '@loci/persistence';
import { SCHEMA } from '../database.js';
import {
  type AddedFacts,
  type IngestedEpisode,
  type DescribedEpisode,
  type Episode,
  type EpisodeFacts,
} from './episode.js';

/** Instants leave the database as text, because a Date would drop the microseconds. */
export const instantText = (expression: string): string =>
  `to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const INSTANT = narrowed<Instant>('text');

/** The columns of `FACTS_COLUMNS`. */
export const FACTS_ROW = rowColumns({
  uid: 'uuid',
  producer_id: 'text',
  producer_role: 'text',
  produced_for_id: 'text',
  metadata: narrowed<Readonly<Record<string, string>>>('jsonb'),
  created_at: INSTANT,
  is_bound: 'bool',
});

type FactsRow = RowOf<typeof FACTS_ROW>;

/** The columns of `EPISODE_COLUMNS`. For `author` see `authorText`. */
export const EPISODE_ROW = rowColumns({
  ...FACTS_ROW,
  content: 'text',
  author: 'text?',
  expires_at: narrowed<Instant | null>('text?'),
});

/** The column `ADDED_AT` beside those of `FACTS_COLUMNS`. */
export const ADDED_ROW = rowColumns({ ...FACTS_ROW, added_at: INSTANT });

/** The column `ingested`. */
export const INGESTED_ROW = rowColumns({ ingested: narrowed<readonly IngestedSet[] | null>('jsonb?') });

export const FACTS_COLUMNS = `
  uid, producer_id, producer_role, produced_for_id, metadata, ${instantText('created_at')} AS created_at, is_bound`;

export const ADDED_AT = `${instantText('added_at')} AS added_at`;

export const EPISODE_COLUMNS = `content, author, ${instantText('expires_at')} AS expires_at, ${FACTS_COLUMNS}`;

/** How an author is kept. */
export const authorText = ({ kind, id }: Author): string => `${kind}:${id}`;

function readAuthor(text: string): Author | undefined {
  const kind = ACTOR_KINDS.find((one) => text.startsWith(`${one}:`));
  return kind && { kind, id: text.slice(kind.length + 1) };
}

/** The size of a row of `EPISODE_COLUMNS`, about. */
export const EPISODE_BYTES = 'octet_length(content) + octet_length(metadata::text)';

/** What the column `ingested` adds to it, which can be more than all others. */
export const INGESTED_BYTES = 'coalesce(octet_length(ingested::text), 0)';

/** The columns that sort lists and exports. */
export const EPISODE_ORDER = ['created_at', 'uid'] as const;

/** True for every episode that readers may see. */
export const IS_LIVE = 'deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

export const toFacts = (row: FactsRow): EpisodeFacts => ({
  uid: row.uid,
  producerId: row.producer_id,
  producerRole: row.producer_role,
  producedForId: row.produced_for_id,
  createdAt: row.created_at,
  metadata: row.metadata,
  ...(row.is_bound && { isBound: true }),
});

export const toAddedFacts = (row: RowOf<typeof ADDED_ROW>): AddedFacts => ({
  ...toFacts(row),
  addedAt: row.added_at,
});

type SpokenRow = FactsRow & {
  readonly content: string;
  readonly author?: string | null;
  readonly expires_at?: Instant | null;
};

/** @param row without `author` and `expires_at` where they are not asked for */
export function toEpisode(row: SpokenRow): Episode {
  const author = row.author ? readAuthor(row.author) : undefined;
  const { content, expires_at: expiresAt } = row;
  return { ...toFacts(row), content, ...(author && { author }), ...(expiresAt && { expiresAt }) };
}

type IngestedRow = Parameters<typeof toEpisode>[0] & RowOf<typeof INGESTED_ROW>;

export const toIngested = (row: IngestedRow): IngestedEpisode => ({
  ...toEpisode(row),
  ...(row.ingested && { ingested: row.ingested }),
});

export const toDescribed = (row: IngestedRow & RowOf<typeof ADDED_ROW>): DescribedEpisode => ({
  ...toIngested(row),
  addedAt: row.added_at,
});

/** What the filter language calls the parts of an episode. Fields of features are missing here. */
const EPISODE_FIELDS: FieldColumns = {
  metadata: 'metadata',
  fields: {
    uid: { sql: 'uid::text', type: 'text' },
    session_key: {
      sql: `(SELECT org_id || '/' || project_id FROM ${SCHEMA}.projects WHERE projects.uid = project_uid)`,
      type: 'text',
    },
    producer_id: { sql: 'producer_id', type: 'text' },
    producer_role: { sql: 'producer_role', type: 'text' },
    produced_for_id: { sql: 'produced_for_id', type: 'text' },
    bound_producer: { sql: 'CASE WHEN is_bound THEN producer_id END', type: 'text' },
    episode_type: { sql: `'message'`, type: 'text' },
    content_type: { sql: `'string'`, type: 'text' },
    sequence_num: { sql: '0', type: 'integer' },
    content: { sql: 'content', type: 'text' },
    created_at: { sql: 'created_at', type: 'instant' },
  },
};

/** The filter as a predicate over episode rows whose parameters are numbered from `firstParameter`. */
export const matching = (filter: Filter | undefined, firstParameter: number): SqlPredicate =>
  filter ? filterToSql(filter, EPISODE_FIELDS, firstParameter) : { sql: 'true', parameters: [] };
