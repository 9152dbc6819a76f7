import { type FeaturesReference } from '@loci/contracts';
import { type IndexVersion } from '@loci/indexing';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { FEATURE_COLUMNS, type FeatureRow, FROM_FEATURES, toFeature } from '../features/feature-rows.js';
import { type IndexedFeature } from './feature-points.js';

const FEATURES = `${SCHEMA}.features`;

type Row = FeatureRow & { readonly created_at: string };

const COLUMNS = `${FEATURE_COLUMNS},
  to_char(features.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at`;

const IS_WAITING = 'features.indexed_at IS NULL AND features.deleted_at IS NULL';

/**
 * Notes which features, as they were read, have their vectors in an index version. The lock on the index version makes a change of the
 * active index version wait, and what is noted behind the change counts for what the index version is then; nothing is noted for an index version
 * that is not used any more.
 *
 * Parameters: the set, uids and revisions as JSON, the index version. It answers the uids of the features that are there.
 */
const MARK_INDEXED = `
WITH index_version AS MATERIALIZED (
  SELECT uid, state FROM ${SCHEMA}.index_spaces
  WHERE uid = $3 AND owner_uid = $1 AND state IN ('active', 'building') FOR SHARE
), given AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS given(uid uuid, revision int)
), marked AS (
  UPDATE ${FEATURES} SET
    indexed_at = CASE WHEN state = 'active' THEN now() ELSE indexed_at END,
    carried_to = CASE WHEN state = 'building' THEN index_version.uid ELSE carried_to END
  FROM given CROSS JOIN index_version
  WHERE set_uid = $1 AND features.uid = given.uid AND features.revision = given.revision AND deleted_at IS NULL)
SELECT features.uid FROM ${FEATURES} JOIN given USING (uid) WHERE set_uid = $1 AND deleted_at IS NULL`;

const NIL_UID = '00000000-0000-0000-0000-000000000000';

const without = (uids: readonly string[], rows: readonly { readonly uid: string }[]): string[] => {
  const found = new Set(rows.map(({ uid }) => uid));
  return uids.filter((uid) => !found.has(uid));
};

/** Which features have their vectors. The table of features is the truth; the vector index follows it. */
@Injectable()
export class IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The features of a set whose vector is not up to date, last changed first. */
  async waiting(setUid: string, limit: number): Promise<IndexedFeature[]> {
    const rows = await this.query<Row>(
      `SELECT ${COLUMNS} ${FROM_FEATURES} WHERE features.set_uid = $1 AND ${IS_WAITING}
       ORDER BY features.updated_at DESC, features.uid DESC LIMIT $2`,
      [setUid, limit],
    );
    return rows.map(toIndexed);
  }

  /** Those of the uids of which the index must hold nothing. */
  async gone(setUid: string, uids: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(
      `SELECT uid FROM ${FEATURES} WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND deleted_at IS NULL`,
      [setUid, uids],
    );
    return without(uids, rows);
  }

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and hold nothing of those in `gone`.
   */
  async sort(
    { uid: versionUid, ownerUid: setUid, state }: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }> {
    const rows = await this.query<Row & { is_indexed: boolean }>(
      `SELECT ${COLUMNS},
              CASE WHEN $3::uuid IS NULL THEN indexed_at IS NOT NULL
                   ELSE carried_to IS NOT DISTINCT FROM $3 END AS is_indexed
       ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND features.deleted_at IS NULL`,
      [setUid, uids, state === 'building' ? versionUid : null],
    );
    return { wanted: rows.filter((row) => !row.is_indexed).map(toIndexed), gone: without(uids, rows) };
  }

  /** Features that are not in an index version that is being built, oldest first, behind `after`. */
  async missing(
    { uid: versionUid, ownerUid: setUid }: IndexVersion,
    after: IndexedFeature | undefined,
    limit: number,
  ): Promise<IndexedFeature[]> {
    const rows = await this.query<Row>(
      `SELECT ${COLUMNS} ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND features.deleted_at IS NULL AND carried_to IS DISTINCT FROM $2
         AND (features.created_at, features.uid) > ($3::timestamptz, $4::uuid)
       ORDER BY features.created_at, features.uid LIMIT $5`,
      [setUid, versionUid, after?.createdAt ?? '-infinity', after?.uid ?? NIL_UID, limit],
    );
    return rows.map(toIndexed);
  }

  /**
   * Notes that these features, as they were read, have their vectors in an index version; nothing for an index version that is not used any
   * more.
   * @returns those that were deleted meanwhile: they must have none
   */
  async markIndexed(
    { uid: versionUid, ownerUid: setUid }: IndexVersion,
    features: readonly IndexedFeature[],
  ): Promise<string[]> {
    const read = features.map(({ uid, revision }) => ({ uid, revision }));
    const rows = await this.query<{ uid: string }>(MARK_INDEXED, [setUid, JSON.stringify(read), versionUid]);
    return without(
      features.map(({ uid }) => uid),
      rows,
    );
  }

  /** Removes tombstones whose vectors are gone. */
  async dropTombstones(setUid: string, uids: readonly string[]): Promise<void> {
    await this.query(
      `DELETE FROM ${FEATURES} WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND deleted_at IS NOT NULL`,
      [setUid, uids],
    );
  }

  /** Takes features and tombstones that have waited for the index for long; they count as ordered now. */
  async takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<FeaturesReference[]> {
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

  private query<R>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    return this.unitOfWork.single((manager) => manager.query<R[]>(sql, parameters), ROWS_OF_ALL);
  }
}

const toIndexed = (row: Row): IndexedFeature => ({ ...toFeature(row), createdAt: row.created_at });
