import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type DeletedEpisodes, type GoneEpisodes, isAddedUntil } from './deleted-episodes.js';
import { type BareFeature, HoldingsRepository } from './holdings.repository.js';

/** In the order in which they may go. */
const OWNED = ['feature_history', 'categories', 'set_types', 'sets'] as const;

/** Of citations. Parameters: the project, the uids of its episodes, until when these were added, if only those count. */
const ARE_GONE = `project_uid = $1 AND episode_uid = ANY($2::uuid[]) AND ($3::timestamptz IS NULL OR ${isAddedUntil('$3')})`;

interface BareRow {
  readonly uid: string;
  readonly by_client: boolean;
  readonly org_id: string;
  readonly project_uid: string | null;
}

@Injectable()
export class TypeormHoldingsRepository extends HoldingsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async setsOf(projectUid: string): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(`SELECT uid FROM ${SCHEMA}.sets WHERE project_uid = $1`, [
      projectUid,
    ]);
    return rows.map(({ uid }) => uid);
  }

  override async eraseFeatures(projectUid: string, limit: number): Promise<number> {
    const [row] = await this.query<{ erased: number }>(
      `WITH erased AS (
         DELETE FROM ${SCHEMA}.features WHERE uid IN (
           SELECT uid FROM ${SCHEMA}.features WHERE project_uid = $1 LIMIT $2) RETURNING uid)
       SELECT count(*)::int AS erased FROM erased`,
      [projectUid, limit],
    );
    return row?.erased ?? 0;
  }

  override async eraseSets(projectUid: string): Promise<void> {
    for (const table of OWNED) {
      await this.query(`DELETE FROM ${SCHEMA}.${table} WHERE project_uid = $1`, [projectUid]);
    }
  }

  override async citedEpisodes(projectUid: string, limit: number): Promise<string[]> {
    const rows = await this.query<{ episode_uid: string }>(
      `SELECT DISTINCT episode_uid FROM ${SCHEMA}.citations WHERE project_uid = $1 LIMIT $2`,
      [projectUid, limit],
    );
    return rows.map((row) => row.episode_uid);
  }

  override async setsCiting(
    { projectUid, uids, addedUntil }: GoneEpisodes,
    tx: Transaction,
  ): Promise<string[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const rows = await manager.query<{ set_uid: string }[]>(
      `SELECT DISTINCT set_uid FROM ${SCHEMA}.features
       WHERE uid IN (SELECT feature_uid FROM ${SCHEMA}.citations WHERE ${ARE_GONE})`,
      [projectUid, uids, addedUntil],
    );
    return rows.map((row) => row.set_uid);
  }

  override async uncite(
    { projectUid, uids, addedUntil }: GoneEpisodes,
    tx: Transaction,
  ): Promise<BareFeature[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(`DELETE FROM ${SCHEMA}.feature_history WHERE episodes && $1::uuid[]`, [uids]);
    const rows = await manager.query<BareRow[]>(
      `WITH taken AS (
         DELETE FROM ${SCHEMA}.citations WHERE ${ARE_GONE}
         RETURNING feature_uid, episode_uid)
       SELECT uid, by_client, org_id, features.project_uid FROM ${SCHEMA}.features
       WHERE uid IN (SELECT feature_uid FROM taken) AND deleted_at IS NULL AND NOT EXISTS (
         SELECT FROM ${SCHEMA}.citations left_over
         WHERE left_over.feature_uid = features.uid AND NOT EXISTS (
           SELECT FROM taken
           WHERE taken.feature_uid = left_over.feature_uid AND taken.episode_uid = left_over.episode_uid))`,
      [projectUid, uids, addedUntil],
    );
    return rows.map((row) => ({
      uid: row.uid,
      owner: { orgId: row.org_id, projectUid: row.project_uid ?? undefined },
      byClient: row.by_client,
    }));
  }

  override async noteDeleted(
    { projectUid, uids, addedUntil }: DeletedEpisodes,
    tx: Transaction,
  ): Promise<void> {
    await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query(
      `INSERT INTO ${SCHEMA}.deleted_episodes AS known (uid, project_uid, added_until)
       SELECT DISTINCT given.uid, $1::uuid, $3::timestamptz FROM unnest($2::uuid[]) AS given(uid) ORDER BY given.uid
       ON CONFLICT (uid) DO UPDATE SET added_until = greatest(known.added_until, excluded.added_until)`,
      [projectUid, uids, addedUntil],
    );
  }

  override async forgetDeleted(projectUid: string): Promise<void> {
    await this.query(`DELETE FROM ${SCHEMA}.deleted_episodes WHERE project_uid = $1`, [projectUid]);
  }

  private query<R>(sql: string, parameters: unknown[]): Promise<R[]> {
    return this.unitOfWork.single((manager) => manager.query<R[]>(sql, parameters), ROWS_OF_ALL);
  }
}
