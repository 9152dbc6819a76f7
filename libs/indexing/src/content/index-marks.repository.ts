import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Which rows, of any owner, have their vectors. What is about a collection is about the active index versions in it. */
@Injectable()
export class IndexMarksRepository {
  private readonly indexed: string;
  private readonly indexVersions: string;
  /** Joins rows with the active index version of their owner if that is in the collection of the first parameter. */
  private readonly isInCollection: string;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    ({ indexed: this.indexed, indexVersions: this.indexVersions } = tablesOf(table));
    this.isInCollection = `EXISTS (
      SELECT FROM ${this.indexVersions} AS index_version
      WHERE index_version.owner_uid = item.${table.ownerColumn} AND index_version.state = 'active' AND index_version.fingerprint = $1)`;
  }

  /** Notes that these rows lost their vectors in a collection. */
  async markLost(fingerprint: string, uids: readonly string[]): Promise<void> {
    await this.query(
      `UPDATE ${this.indexed} AS item SET indexed_at = NULL, ordered_at = NULL
       WHERE uid = ANY($2::uuid[]) AND ${this.isInCollection}`,
      [fingerprint, uids],
    );
  }

  /**
   * Notes, for up to `limit` rows whose vectors are in a collection, that they are lost.
   * @returns how many were noted; 0 when none is left
   */
  async markAllLost(fingerprint: string, limit: number): Promise<number> {
    const [row] = await this.query<{ marked: number }>(
      `WITH marked AS (
         UPDATE ${this.indexed} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (
           SELECT uid FROM ${this.indexed} AS item WHERE indexed_at IS NOT NULL AND ${this.isInCollection}
           LIMIT $2 FOR UPDATE OF item SKIP LOCKED) RETURNING uid)
       SELECT count(*)::int AS marked FROM marked`,
      [fingerprint, limit],
    );
    return row?.marked ?? 0;
  }

  /** How far the index is behind. */
  async backlog(): Promise<{ items: number; oldestSeconds: number }> {
    const { belongs, waitingSince } = this.table;
    const [row] = await this.query<{ items: number; oldest: number }>(
      `SELECT count(*)::int AS items, coalesce(extract(epoch FROM now() - min(${waitingSince})), 0)::float AS oldest
       FROM ${this.indexed} WHERE indexed_at IS NULL AND ${belongs}`,
    );
    return { items: row?.items ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  /** Rows that have their vectors in a collection. Reads the whole table. */
  async countIndexed(fingerprint: string): Promise<number> {
    const [row] = await this.query<{ indexed: number }>(
      `SELECT count(*)::int AS indexed FROM ${this.indexed} AS item
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ${this.isInCollection}`,
      [fingerprint],
    );
    return row?.indexed ?? 0;
  }

  /** Rows that are indexed in a collection, in the order of their uids, starting behind `after`. */
  indexedAfter(
    fingerprint: string,
    after: string | undefined,
    limit: number,
  ): Promise<{ uid: string; version: number }[]> {
    return this.query(
      `SELECT uid, ${this.table.pointVersion} AS version FROM ${this.indexed} AS item
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ($2::uuid IS NULL OR uid > $2) AND ${this.isInCollection}
       ORDER BY uid LIMIT $3`,
      [fingerprint, after, limit],
    );
  }

  /** Those of the uids that may have a vector in a collection. */
  async mayHaveVectors(fingerprint: string, uids: readonly string[]): Promise<Set<string>> {
    const { ownerColumn, owners, belongs } = this.table;
    const rows = await this.query<{ uid: string }>(
      `SELECT uid FROM ${this.indexed} AS item
       WHERE uid = ANY($2::uuid[]) AND ${belongs}
         AND ${ownerColumn} IN (SELECT owner.uid FROM (${owners}) AS owner)
         AND EXISTS (SELECT FROM ${this.indexVersions} AS index_version
                     WHERE index_version.owner_uid = ${ownerColumn} AND index_version.fingerprint = $1)`,
      [fingerprint, uids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}
