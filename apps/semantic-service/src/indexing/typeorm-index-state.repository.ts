import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { FEATURE_COLUMNS, type FeatureRow, FROM_FEATURES, toFeature } from '../features/feature-rows.js';
import { type IndexedFeature } from './feature-points.js';
import { IndexStateRepository, type WaitingFeatures } from './index-state.repository.js';

const FEATURES = `${SCHEMA}.features`;

type Row = FeatureRow & { readonly created_at: string };

const COLUMNS = `${FEATURE_COLUMNS},
  to_char(features.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at`;

const IS_WAITING = 'features.indexed_at IS NULL AND features.deleted_at IS NULL';

@Injectable()
export class TypeormIndexStateRepository extends IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async setsWaiting(setUids: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ set_uid: string }>(
      `SELECT DISTINCT set_uid FROM ${FEATURES} WHERE set_uid = ANY($1::uuid[]) AND ${IS_WAITING}`,
      [setUids],
    );
    return new Set(rows.map((row) => row.set_uid));
  }

  override async waiting(setUid: string, limit: number): Promise<IndexedFeature[]> {
    const rows = await this.query<Row>(
      `SELECT ${COLUMNS} ${FROM_FEATURES} WHERE features.set_uid = $1 AND ${IS_WAITING}
       ORDER BY features.updated_at DESC, features.uid DESC LIMIT $2`,
      [setUid, limit],
    );
    return rows.map(toIndexed);
  }

  override async sort(
    setUid: string,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }> {
    const rows = await this.query<Row & { is_indexed: boolean }>(
      `SELECT ${COLUMNS}, indexed_at IS NOT NULL AS is_indexed ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND features.deleted_at IS NULL`,
      [setUid, uids],
    );
    const known = new Set(rows.map(({ uid }) => uid));
    return {
      wanted: rows.filter((row) => !row.is_indexed).map(toIndexed),
      gone: uids.filter((uid) => !known.has(uid)),
    };
  }

  override async markIndexed(setUid: string, features: readonly IndexedFeature[]): Promise<string[]> {
    const read = features.map(({ uid, revision }) => ({ uid, revision }));
    const rows = await this.query<{ uid: string }>(
      `WITH given AS (
         SELECT * FROM jsonb_to_recordset($2::jsonb) AS given(uid uuid, revision int)
       ), marked AS (
         UPDATE ${FEATURES} SET indexed_at = now() FROM given
         WHERE set_uid = $1 AND features.uid = given.uid AND features.revision = given.revision
           AND deleted_at IS NULL)
       SELECT features.uid FROM ${FEATURES} JOIN given USING (uid) WHERE set_uid = $1 AND deleted_at IS NULL`,
      [setUid, JSON.stringify(read)],
    );
    const alive = new Set(rows.map(({ uid }) => uid));
    return features.map(({ uid }) => uid).filter((uid) => !alive.has(uid));
  }

  override async markLost(uids: readonly string[]): Promise<void> {
    await this.query(
      `UPDATE ${FEATURES} SET indexed_at = NULL, ordered_at = NULL WHERE uid = ANY($1::uuid[])`,
      [uids],
    );
  }

  override async markAllLost(limit: number): Promise<number> {
    const [row] = await this.query<{ marked: number }>(
      `WITH marked AS (
         UPDATE ${FEATURES} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (
           SELECT uid FROM ${FEATURES} WHERE indexed_at IS NOT NULL LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING uid)
       SELECT count(*)::int AS marked FROM marked`,
      [limit],
    );
    return row?.marked ?? 0;
  }

  override async dropTombstones(setUid: string, uids: readonly string[]): Promise<void> {
    await this.query(
      `DELETE FROM ${FEATURES} WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND deleted_at IS NOT NULL`,
      [setUid, uids],
    );
  }

  override async takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingFeatures[]> {
    const rows = await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query<{ set_uid: string; uids: string[] }[]>(
      `WITH taken AS (
         SELECT uid FROM ${FEATURES}
         WHERE (indexed_at IS NULL OR deleted_at IS NOT NULL)
           AND greatest(ordered_at, deleted_at, updated_at) < now() - make_interval(secs => $1)
         ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ), ordered AS (
         UPDATE ${FEATURES} SET ordered_at = now() FROM taken WHERE features.uid = taken.uid
         RETURNING features.uid, features.set_uid
       )
       SELECT set_uid, array_agg(uid) AS uids FROM ordered GROUP BY set_uid`,
      [patienceMs / 1000, limit],
    );
    return rows.map((row) => ({ setUid: row.set_uid, uids: row.uids }));
  }

  override async backlog(): Promise<{ features: number; oldestSeconds: number }> {
    const [row] = await this.query<{ features: number; oldest: number }>(
      `SELECT count(*)::int AS features, coalesce(extract(epoch FROM now() - min(updated_at)), 0)::float AS oldest
       FROM ${FEATURES} WHERE ${IS_WAITING}`,
    );
    return { features: row?.features ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  override async countIndexed(): Promise<number> {
    const [row] = await this.query<{ indexed: number }>(
      `SELECT count(*)::int AS indexed FROM ${FEATURES} WHERE indexed_at IS NOT NULL AND deleted_at IS NULL`,
    );
    return row?.indexed ?? 0;
  }

  override indexedAfter(
    after: string | undefined,
    limit: number,
  ): Promise<{ uid: string; revision: number }[]> {
    return this.query(
      `SELECT uid, revision FROM ${FEATURES}
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ($1::uuid IS NULL OR uid > $1) ORDER BY uid LIMIT $2`,
      [after, limit],
    );
  }

  override async mayHaveVectors(uids: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ uid: string }>(
      `SELECT uid FROM ${FEATURES} WHERE uid = ANY($1::uuid[]) AND deleted_at IS NULL`,
      [uids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  private query<R>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    return this.unitOfWork.single((manager) => manager.query<R[]>(sql, parameters), ROWS_OF_ALL);
  }
}

const toIndexed = (row: Row): IndexedFeature => ({ ...toFeature(row), createdAt: row.created_at });
