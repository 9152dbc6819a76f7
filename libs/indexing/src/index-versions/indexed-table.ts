import { type RowScope } from '@loci/persistence';

/**
 * The table whose rows a service keeps vectors of, in SQL. Its rows have, besides their `uid` and the uid of their owner:
 * `indexed_at` (since when the active index version has the vector of the row as it is; null while it waits), `carried_to` (the
 * uid of the index version that the row was re-embedded into last), `ordered_at` (when the sweeper last asked for the vector) and
 * `deleted_at`. The schema has the tables of `createIndexVersionTables`,
 * `createIndexBacklog` and `createWordStatistics`. Also the injection token.
 */
export abstract class IndexedTable {
  /** The PostgreSQL schema. */
  abstract readonly schema: string;

  /** The table in that schema. */
  abstract readonly name: string;

  /** The column with the uid of the owner: what is searched and re-embedded together; the tenant of the vectors. */
  abstract readonly ownerColumn: string;

  /** Whether a row is to have a vector: a condition on its columns. */
  abstract readonly belongs: string;

  /** Since when a row waits, if it does: the column behind that of the owner in the index of all rows that wait. */
  abstract readonly waitsSince: string;

  /** Since when the row waits that has waited for its vector for longest: an expression that one look at an index answers. */
  abstract readonly oldestWaiting: string;

  /** The version that a row's point should have: an expression on its columns, and on `$1`, the fingerprint of the collection. */
  abstract readonly pointVersion: string;

  /** How many versions a recipe has: of two points of one recipe, the higher version is of a later change of the row. */
  abstract readonly versionsPerRecipe: number;

  /**
   * A query for all owners that are open: their `uid`, their organization (`org_id`), and the name of the `embedder` that they
   * chose, empty for the default.
   */
  abstract readonly owners: string;

  /** The rows that a statement about one owner sees. */
  abstract scopeOf(ownerUid: string): RowScope;
}

/** Before all others: no row and no owner has it. */
export const FIRST_UID = '00000000-0000-0000-0000-000000000000';

/** The tables that `IndexedTable` speaks of. */
export const tablesOf = ({ schema, name }: IndexedTable) => ({
  indexVersions: `${schema}.index_spaces`,
  collections: `${schema}.index_collections`,
  backlog: `${schema}.index_backlog`,
  words: `${schema}.word_statistics`,
  indexed: `${schema}.${name}`,
});
