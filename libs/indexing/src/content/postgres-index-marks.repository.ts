import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { IndexMarksRepository } from './index-marks.repository.js';

@Injectable()
export class PostgresIndexMarksRepository extends IndexMarksRepository {
  private readonly indexed: string;
  private readonly indexVersions: string;
  /** Joins rows with the active index version of their owner if that is in the collection of the first parameter. */
  private readonly isInCollection: string;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    super();
    ({ indexed: this.indexed, indexVersions: this.indexVersions } = tablesOf(table));
    this.isInCollection = `EXISTS (
      SELECT FROM ${this.indexVersions} AS index_version
      WHERE index_version.owner_uid = item.${table.ownerColumn} AND index_version.state = 'active' AND index_version.fingerprint = $1)`;
  }

  override async markLost(fingerprint: string, uids: readonly string[]): Promise<void> {
    await this.query(
      `UPDATE ${this.indexed} AS item SET indexed_at = NULL, ordered_at = NULL
       WHERE uid = ANY($2::uuid[]) AND ${this.isInCollection}`,
      [fingerprint, uids],
    );
  }

  override async markAllLost(fingerprint: string, limit: number): Promise<number> {
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

  override async backlog(): Promise<{ items: number; oldestSeconds: number }> {
    const { belongs, waitingSince } = this.table;
    const [row] = await this.query<{ items: number; oldest: number }>(
      `SELECT count(*)::int AS items, coalesce(extract(epoch FROM now() - min(${waitingSince})), 0)::float AS oldest
       FROM ${this.indexed} WHERE indexed_at IS NULL AND ${belongs}`,
    );
    return { items: row?.items ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  override async countIndexed(fingerprint: string): Promise<number> {
    const [row] = await this.query<{ indexed: number }>(
      `SELECT count(*)::int AS indexed FROM ${this.indexed} AS item
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ${this.isInCollection}`,
      [fingerprint],
    );
    return row?.indexed ?? 0;
  }

  override indexedAfter(
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

  override async mayHaveVectors(fingerprint: string, uids: readonly string[]): Promise<Set<string>> {
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
