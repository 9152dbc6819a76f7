import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

export interface MissingRows {
  readonly owner: string;
  /** The index version. */
  readonly version: string;
  readonly limit: string;
}

/** The index of rows with a vector is read in its own sequence, which keeps PostgreSQL to it. */
const STATES = [
  { state: 'indexed_at IS NOT NULL', sequence: 'ORDER BY carried_to' },
  { state: 'indexed_at IS NULL', sequence: '' },
];

/**
 * A subquery for rows of an owner that are not in an index version. Those with a vector come first, so that what keeps coming in
 * keeps none of them waiting. Each kind is a range of their index by owner and `carried_to`: a look costs the same however many
 * are in the index version already. The others are found in the index of what waits, in which each that was re-embedded is passed.
 * @param parameters SQL
 */
export const missingRows = (table: IndexedTable, { owner, version, limit }: MissingRows): string =>
  `(${STATES.flatMap(({ state, sequence }) =>
    [`< ${version}`, `> ${version}`, 'IS NULL'].map(
      (kind) => `(SELECT * FROM ${tablesOf(table).indexed}
        WHERE ${table.ownerColumn} = ${owner} AND ${table.belongs} AND ${state} AND carried_to ${kind}
        ${sequence} LIMIT ${limit})`,
    ),
  ).join(' UNION ALL ')} LIMIT ${limit})`;
