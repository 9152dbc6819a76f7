import { type Author, type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { boundedRow, narrowed, rowColumns, type RowOf, withinBytes } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { originOf } from './feature-origins.js';
import {
  type HistoryEntry,
  type ListedEntry,
  type ListedState,
  type NewHistoryEntry,
  type OutlinedEntry,
  type OutlinedState,
} from './feature-history.js';
import { type FeatureState, type MessageReference } from './feature.js';
import { type Partition, TRUSTED } from './partition.js';

/** A state as an older version may have kept it, without its partition, its origin and when it was stored. */
type Kept<State extends FeatureState | ListedState> = Omit<State, keyof Partition | 'origin' | 'recordedAt'> &
  Partial<State>;
type KeptState = Kept<FeatureState>;
type KeptListedState = Kept<ListedState>;

/**
 * The change that an entry belongs to; what an older version wrote is one of its own. As the index `feature_history_changes`
 * has it: row security lets no index answer what is asked of a `coalesce`.
 */
export const changeIn = (table: string): string =>
  `CASE WHEN ${table}.change_uid IS NULL THEN ${table}.uid ELSE ${table}.change_uid END`;

export const CHANGE = changeIn('feature_history');

/** Parameters 1 to 3: organization, project, the set. */
export const inSet = (scope: Pick<Scope, 'organization'>): string =>
  `FROM ${SCHEMA}.feature_history WHERE ${visibleRows(scope, 'feature_history')} AND set_uid = $3`;

/** The columns of `HISTORY_COLUMNS`. */
export const HISTORY_ROW = rowColumns({
  uid: 'uuid',
  change_uid: 'uuid',
  feature_uid: 'uuid',
  set_uid: 'uuid',
  org_id: 'text',
  project_uid: 'uuid?',
  action: narrowed<ChangeAction>('text'),
  origin: narrowed<ChangeOriginKind>('text'),
  job_id: 'text?',
  model: 'text?',
  author: narrowed<Author | null>('jsonb?'),
  said_by: narrowed<readonly MessageReference[] | null>('jsonb?'),
  episodes: 'uuid[]',
  before: narrowed<KeptState | null>('jsonb?'),
  after: narrowed<KeptState | null>('jsonb?'),
  at: narrowed<Instant>('text'),
});

export const HISTORY_COLUMNS = `uid, ${CHANGE} AS change_uid, feature_uid, set_uid, org_id, project_uid, action, origin,
  job_id, model, author, said_by, episodes, before, after, ${instantText('at')} AS at`;

/** As `HISTORY_ROW`, of what is listed. */
export const LISTED_ROW = {
  ...HISTORY_ROW,
  ...rowColumns({
    before: narrowed<KeptListedState | null>('jsonb?'),
    after: narrowed<KeptListedState | null>('jsonb?'),
  }),
};

/** A state of the history with the uids of what it cites alone. */
const listed = (state: 'before' | 'after'): string =>
  `jsonb_set(${state}, '{citations}', jsonb_path_query_array(${state}, '$.citations[*].episodeUid')) AS ${state}`;

/** As `HISTORY_COLUMNS`, of rows that have those. */
export const LISTED_COLUMNS = `uid, change_uid, feature_uid, set_uid, org_id, project_uid, action, origin,
  job_id, model, author, said_by, episodes, ${listed('before')}, ${listed('after')}, at`;

/** About what an entry has in an answer: a state is stored compressed, and with more of each citation. */
export const LISTED_BYTES = `coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)
  + 39 * cardinality(episodes)`;

/** As `HISTORY_ROW`, of what is outlined. */
export const OUTLINED_ROW = boundedRow({
  ...HISTORY_ROW,
  ...rowColumns({
    before: narrowed<OutlinedState | null>('jsonb?'),
    after: narrowed<OutlinedState | null>('jsonb?'),
  }),
});

const OUTLINED = ['subject', 'category', 'tag', 'name', 'value', 'dates', 'isTrusted', 'sourceProjectUid'];

const outlined = (state: 'before' | 'after'): string =>
  `CASE WHEN ${state} IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
     ${OUTLINED.map((key) => `'${key}', ${state} -> '${key}'`).join(', ')})) END AS ${state}`;

/** What an entry has in memory beside its states, about. */
const BYTES_OF_ENTRY = 300;

const ENTRY_BYTES = ['before', 'after']
  .map((state) => `coalesce(octet_length(${state}::text), 0)`)
  .concat(`40 * cardinality(episodes)`, `${BYTES_OF_ENTRY}`)
  .join(' + ');

const NAMES = Object.keys(HISTORY_ROW).join(', ');

/** A statement that reads entries, newest first; none where they have too many bytes together. @param from `FROM … WHERE …` */
export const boundedHistory = (from: string, maxBytes: `$${number}`): string =>
  withinBytes({
    page: `SELECT ${HISTORY_COLUMNS} ${from}`,
    columns: NAMES,
    bytes: ENTRY_BYTES,
    order: 'uid DESC',
    maxBytes,
  });

/** The same of entries as they are outlined. */
export const boundedOutlines = (from: string, maxBytes: `$${number}`): string =>
  withinBytes({
    page: `SELECT uid, change_uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, author, said_by,
             '{}'::uuid[] AS episodes, ${outlined('before')}, ${outlined('after')}, at
           FROM (SELECT ${HISTORY_COLUMNS} ${from}) AS entries`,
    columns: NAMES,
    bytes: ENTRY_BYTES,
    order: 'uid DESC',
    maxBytes,
  });

/** A new entry as a row; `uid` is its own. */
export const toHistoryRow = (uid: string, entry: NewHistoryEntry) => ({
  uid,
  feature_uid: entry.featureUid,
  set_uid: entry.location.setUid,
  org_id: entry.location.orgId,
  project_uid: entry.location.projectUid,
  action: actionOf(entry),
  origin: entry.origin.kind,
  change_uid: entry.origin.changeUid,
  job_id: entry.origin.jobId,
  model: entry.origin.model,
  author: entry.origin.author,
  said_by: entry.origin.saidBy?.map(({ projectUid, episodeUid, addedAt }) => ({
    projectUid,
    episodeUid,
    addedAt,
  })),
  episodes: episodesOf(entry),
  before: entry.before,
  after: entry.after && withoutMetadata(entry.after),
});

/** What it became is never put back: of what that cites, only whose it is counts. */
const withoutMetadata = (state: FeatureState): FeatureState => ({
  ...state,
  citations: state.citations.map((citation) => ({ ...citation, metadata: {} })),
});

function actionOf({ before, after }: NewHistoryEntry): ChangeAction {
  if (!before) return 'add';
  return after ? 'update' : 'remove';
}

const episodesOf = ({ origin, before, after }: NewHistoryEntry): string[] => [
  ...new Set([
    ...origin.episodes,
    ...(origin.saidBy ?? []).map(({ episodeUid }) => episodeUid),
    ...[before, after].flatMap((state) => (state ? episodesIn(state) : [])),
  ]),
];

const episodesIn = ({ citations, dates = [] }: FeatureState): string[] => [
  ...citations.map(({ episodeUid }) => episodeUid),
  ...dates.flatMap(({ episodeUid }) => episodeUid ?? []),
];

export const toHistoryEntry = (row: RowOf<typeof HISTORY_ROW>): HistoryEntry => ({
  ...happened(row),
  before: row.before ? completed(row.before, row.at) : undefined,
  after: row.after ? completed(row.after, row.at) : undefined,
});

export const toListedEntry = (row: RowOf<typeof LISTED_ROW>): ListedEntry => ({
  ...happened(row),
  before: row.before ? completed(row.before, row.at) : undefined,
  after: row.after ? completed(row.after, row.at) : undefined,
});

export const toOutline = (
  row: Omit<RowOf<typeof OUTLINED_ROW>, 'uid' | 'page_bytes'> & { readonly uid: string },
): OutlinedEntry => ({
  ...happened(row),
  before: row.before ? { ...TRUSTED, ...row.before } : undefined,
  after: row.after ? { ...TRUSTED, ...row.after } : undefined,
});

const happened = (
  row: Omit<RowOf<typeof HISTORY_ROW>, 'before' | 'after'>,
): Omit<HistoryEntry, 'before' | 'after'> => ({
  uid: row.uid,
  featureUid: row.feature_uid,
  location: { setUid: row.set_uid, orgId: row.org_id, projectUid: row.project_uid ?? undefined },
  action: row.action,
  origin: {
    kind: row.origin,
    changeUid: row.change_uid,
    jobId: row.job_id ?? undefined,
    model: row.model ?? undefined,
    author: row.author ?? undefined,
    saidBy: row.said_by ?? undefined,
    episodes: row.episodes,
  },
  at: row.at,
});

/** What a state of an older version lacks. */
const completed = <State extends KeptState | KeptListedState>(state: State, changedAt: Instant) => ({
  ...TRUSTED,
  ...state,
  recordedAt: state.recordedAt ?? changedAt,
  origin: originOf(state.origin, state.byClient),
});
