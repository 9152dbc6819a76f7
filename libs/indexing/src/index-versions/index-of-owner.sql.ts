import { narrowed, rowColumns, type RowOf, sql } from '@loci/persistence';
import { type IndexVersion, type OwnerIndex } from './index-version.js';
import { type IndexedTable, tablesOf } from './indexed-table.js';

const MEMBERS: Readonly<Record<keyof IndexVersion, string>> = {
  uid: 'uid',
  ownerUid: 'owner_uid',
  fingerprint: 'fingerprint',
  dimensions: 'dimensions',
  embedder: 'embedder',
  state: 'state',
};

const VERSION = `json_build_object(${Object.entries(MEMBERS)
  .map(([member, column]) => `'${member}', index_version.${column}`)
  .join(', ')})`;

/** The columns of `ownerIndexColumns`. */
export const OWNER_INDEX_ROW = rowColumns({
  index_versions: narrowed<readonly IndexVersion[]>('json'),
  has_waiting: 'bool',
  words_revision: 'int4',
});

/**
 * Whether anything of an owner waits. The sequence that it asks for makes PostgreSQL look into the index of what waits, where
 * it finds nothing at once. With EXISTS it expects to meet a row of the owner soon in a table most of which waits, as after an
 * import, and reads all of it where none is.
 */
const hasWaiting = (table: IndexedTable, owner: string): string => `
  coalesce((SELECT true FROM ${tablesOf(table).indexed}
            WHERE ${table.ownerColumn} = ${owner} AND indexed_at IS NULL AND ${table.belongs}
            ORDER BY ${table.waitsSince} LIMIT 1), false)`;

/**
 * All that a search has to know of the index of an owner, as columns, so that one statement can ask for it and for more.
 * @param owner SQL: the uid of the owner
 */
export const ownerIndexColumns = (table: IndexedTable, owner: string): string => `
  (SELECT coalesce(json_agg(${VERSION}), '[]') FROM ${tablesOf(table).indexVersions} AS index_version
   WHERE index_version.owner_uid = ${owner}) AS index_versions,
  ${hasWaiting(table, owner)} AS has_waiting,
  coalesce((SELECT revision FROM ${tablesOf(table).words} AS words WHERE words.owner_uid = ${owner}), 0) AS words_revision`;

export const toOwnerIndex = (row: RowOf<typeof OWNER_INDEX_ROW>): OwnerIndex => ({
  indexVersions: row.index_versions,
  hasWaiting: row.has_waiting,
  wordsRevision: row.words_revision,
});

/** One row. Parameter: the owner. */
export const indexOfOwner = (table: IndexedTable) =>
  sql({
    name: 'index_of_owner',
    text: `SELECT ${ownerIndexColumns(table, '$1')}`,
    row: OWNER_INDEX_ROW,
  });
