import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner } from '../projects/project.js';
import { SCHEMA } from '../database.js';
import {
  type DeletedEpisodes,
  type GoneEpisodes,
  isAddedUntil,
} from '../ingestion/backlog/deleted-episodes.js';

/** A feature that cites nothing any more. */
export interface BareFeature {
  readonly uid: string;
  readonly owner: Owner;
  readonly byClient: boolean;
}

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

/** All that there is of a project, for taking it away. */
@Injectable()
export class HoldingsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Sets of the project itself. */
  async setsOf(projectUid: string): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(`SELECT uid FROM ${SCHEMA}.sets WHERE project_uid = $1`, [
      projectUid,
    ]);
    return rows.map(({ uid }) => uid);
  }

  /** Erases features of the project's own sets, with what hangs on them. @returns how many; 0 when none is left */
  async eraseFeatures(projectUid: string, limit: number): Promise<number> {
    const [row] = await this.query<{ erased: number }>(
      `WITH erased AS (
         DELETE FROM ${SCHEMA}.features WHERE uid IN (
           SELECT uid FROM ${SCHEMA}.features WHERE project_uid = $1 LIMIT $2) RETURNING uid)
       SELECT count(*)::int AS erased FROM erased`,
      [projectUid, limit],
    );
    return row?.erased ?? 0;
  }

  /** Erases the project's own sets, set types and categories, once its features are gone. */
  async eraseSets(projectUid: string): Promise<void> {
    for (const table of OWNED) {
      await this.query(`DELETE FROM ${SCHEMA}.${table} WHERE project_uid = $1`, [projectUid]);
    }
  }

  /** Some of the episodes of the project that are still cited. */
  async citedEpisodes(projectUid: string, limit: number): Promise<string[]> {
    const rows = await this.query<{ episode_uid: string }>(
      `SELECT DISTINCT episode_uid FROM ${SCHEMA}.citations WHERE project_uid = $1 LIMIT $2`,
      [projectUid, limit],
    );
    return rows.map((row) => row.episode_uid);
  }

  /** The sets with features that cite these episodes. */
  async setsCiting({ projectUid, uids, addedUntil }: GoneEpisodes, tx: Transaction): Promise<string[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const rows = await manager.query<{ set_uid: string }[]>(
      `SELECT DISTINCT set_uid FROM ${SCHEMA}.features
       WHERE uid IN (SELECT feature_uid FROM ${SCHEMA}.citations WHERE ${ARE_GONE})`,
      [projectUid, uids, addedUntil],
    );
    return rows.map((row) => row.set_uid);
  }

  /**
   * Takes citations of episodes away, and forgets what was drawn from these.
   * @returns the features that cite nothing any more
   */
  async uncite({ projectUid, uids, addedUntil }: GoneEpisodes, tx: Transaction): Promise<BareFeature[]> {
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

  /** Remembers that these episodes are deleted. */
  async noteDeleted({ projectUid, uids, addedUntil }: DeletedEpisodes, tx: Transaction): Promise<void> {
    await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query(
      `INSERT INTO ${SCHEMA}.deleted_episodes AS known (uid, project_uid, added_until)
       SELECT DISTINCT given.uid, $1::uuid, $3::timestamptz FROM unnest($2::uuid[]) AS given(uid) ORDER BY given.uid
       ON CONFLICT (uid) DO UPDATE SET added_until = greatest(known.added_until, excluded.added_until)`,
      [projectUid, uids, addedUntil],
    );
  }

  /** Forgets which episodes of a project were deleted: nobody can cite any of them. */
  async forgetDeleted(projectUid: string): Promise<void> {
    await this.query(`DELETE FROM ${SCHEMA}.deleted_episodes WHERE project_uid = $1`, [projectUid]);
  }

  private query<R>(sql: string, parameters: unknown[]): Promise<R[]> {
    return this.unitOfWork.single((manager) => manager.query<R[]>(sql, parameters), ROWS_OF_ALL);
  }
}
