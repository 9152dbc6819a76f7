import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

export interface MissingRows {
  /** The index version. */
  readonly version: string;
  readonly owner: string;
  readonly limit: string;
}

/**
 * A subquery for rows of an owner that are not in an index version: those that were re-embedded into another one, then those that
 * never were, so that what keeps coming in keeps none waiting. Each kind is a range of the index over the owner and `carried_to`,
 * and the sequence keeps PostgreSQL to that index: a look costs the same however many rows are in the index version already.
 * @param parameters SQL
 */
export const missingRows = (table: IndexedTable, { owner, version, limit }: MissingRows): string =>
  `(${[`< ${version}`, `> ${version}`, 'IS NULL']
    .map(
      (kind) => `(SELECT * FROM ${tablesOf(table).indexed}
        WHERE ${table.ownerColumn} = ${owner} AND ${table.belongs} AND carried_to ${kind}
        ORDER BY carried_to LIMIT ${limit})`,
    )
    .join(' UNION ALL ')} LIMIT ${limit})`;
