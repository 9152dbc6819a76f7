import { ROWS_OF_ALL, rowsOf, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.sql.js';
import { type IndexSpace, type SpaceModel } from './index-space.js';
import { type Move, MovesRepository } from './moves.repository.js';
import { SPACE_COLUMNS, SPACES, type SpaceRow, toSpace } from './space-rows.js';

const EPISODES = `${SCHEMA}.episodes`;

interface DueRow {
  readonly project_uid: string;
  readonly embedder: string;
  readonly fingerprint: string;
  readonly dimensions: number;
}

@Injectable()
export class PostgresMovesRepository extends MovesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async chosenNames(): Promise<string[]> {
    const rows = await this.query<{ embedder: string }>(
      `SELECT DISTINCT embedder FROM ${SCHEMA}.projects WHERE state = 'open' AND embedder <> ''`,
    );
    return rows.map(({ embedder }) => embedder);
  }

  override async due(models: readonly SpaceModel[], defaultName: string, limit: number): Promise<Move[]> {
    const rows = await this.query<DueRow>(
      `SELECT project.uid AS project_uid, model.embedder, model.fingerprint, model.dimensions
       FROM ${SCHEMA}.projects AS project
       JOIN ${SPACES} AS active ON active.project_uid = project.uid AND active.state = 'active'
       LEFT JOIN ${SPACES} AS building ON building.project_uid = project.uid AND building.state = 'building'
       JOIN json_to_recordset($1::json) AS model(embedder text, fingerprint text, dimensions int)
         ON model.embedder = coalesce(nullif(project.embedder, ''), $2)
       WHERE project.state = 'open'
         AND (coalesce(building.fingerprint, active.fingerprint), coalesce(building.embedder, active.embedder))
             IS DISTINCT FROM (model.fingerprint, model.embedder)
       LIMIT $3`,
      [JSON.stringify(models), defaultName, limit],
    );
    return rows.map(({ project_uid: projectUid, ...to }) => ({ projectUid, to }));
  }

  override begin({ projectUid, to }: Move): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const spaces = await lockSpaces(projectUid, tx);
      const manager = await scopedManager(tx, rowsOf(projectUid));
      const active = spaces.find(({ state }) => state === 'active');
      const building = spaces.find(({ state }) => state === 'building');
      if (!active) return;
      if (building && building.fingerprint !== to.fingerprint) {
        await manager.query(
          `UPDATE ${SPACES} SET state = 'retiring', changed_at = now(), lease_until = NULL WHERE uid = $1`,
          [building.uid],
        );
      }
      const same = [active, building].find((space) => space?.fingerprint === to.fingerprint);
      if (same) {
        await manager.query(`UPDATE ${SPACES} SET embedder = $2 WHERE uid = $1`, [same.uid, to.embedder]);
        return;
      }
      await manager.query(
        `DELETE FROM ${SPACES} WHERE project_uid = $1 AND fingerprint = $2 AND state = 'retiring'`,
        [projectUid, to.fingerprint],
      );
      await manager.query(
        `INSERT INTO ${SPACES} (uid, project_uid, fingerprint, dimensions, embedder, state)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'building')`,
        [projectUid, to.fingerprint, to.dimensions, to.embedder],
      );
    });
  }

  override async claim(leaseMs: number): Promise<IndexSpace | undefined> {
    const [claimed] = await this.query<SpaceRow>(
      `WITH free AS (
         SELECT space.uid FROM ${SPACES} AS space JOIN ${SCHEMA}.projects AS project ON project.uid = space.project_uid
         WHERE space.state = 'building' AND project.state = 'open' AND coalesce(lease_until, '-infinity') < now()
         ORDER BY space.changed_at LIMIT 1 FOR UPDATE OF space SKIP LOCKED
       ), claimed AS (
         UPDATE ${SPACES} AS space SET lease_until = now() + make_interval(secs => $1)
         FROM free WHERE space.uid = free.uid RETURNING ${SPACE_COLUMNS})
       SELECT * FROM claimed`,
      [leaseMs / 1000],
    );
    if (!claimed) return undefined;
    await this.query(
      `UPDATE ${SPACES} SET (episodes, carried) = (
         SELECT count(*), count(*) FILTER (WHERE carried_to = $1) FROM ${EPISODES} WHERE project_uid = $2 AND ${BELONGS})
       WHERE uid = $1`,
      [claimed.uid, claimed.project_uid],
    );
    return toSpace(claimed);
  }

  override async renew({ uid }: IndexSpace, carried: number, leaseMs: number): Promise<boolean> {
    const rows = await this.query(
      `WITH renewed AS (
         UPDATE ${SPACES} SET carried = carried + $2, problem = NULL, lease_until = now() + make_interval(secs => $3)
         WHERE uid = $1 AND state = 'building' RETURNING uid)
       SELECT uid FROM renewed`,
      [uid, carried, leaseMs / 1000],
    );
    return rows.length > 0;
  }

  override async release({ uid }: IndexSpace, pauseMs: number, problem: string | undefined): Promise<void> {
    await this.query(
      `UPDATE ${SPACES} SET lease_until = now() + make_interval(secs => $2), problem = $3
       WHERE uid = $1 AND state = 'building'`,
      [uid, pauseMs / 1000, problem],
    );
  }

  override complete({ uid, projectUid }: IndexSpace): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      // whoever notes an episode as indexed shares these locks, so that none is noted for the former space from here on
      const spaces = await lockSpaces(projectUid, tx);
      if (!spaces.some((space) => space.uid === uid && space.state === 'building')) return true;
      const manager = await scopedManager(tx, rowsOf(projectUid));
      const missing = await manager.query<unknown[]>(
        `SELECT FROM ${EPISODES} WHERE project_uid = $1 AND ${BELONGS} AND carried_to IS DISTINCT FROM $2 LIMIT 1`,
        [projectUid, uid],
      );
      if (missing.length > 0) return false;
      await manager.query(
        `UPDATE ${SPACES} SET state = 'retiring', changed_at = now() WHERE project_uid = $1 AND state = 'active'`,
        [projectUid],
      );
      await manager.query(
        `UPDATE ${SPACES} SET state = 'active', changed_at = now(), lease_until = NULL, problem = NULL WHERE uid = $1`,
        [uid],
      );
      // those that the former embedder could not embed
      await manager.query(
        `UPDATE ${EPISODES} SET indexed_at = now()
         WHERE project_uid = $1 AND indexed_at IS NULL AND ${BELONGS} AND carried_to = $2`,
        [projectUid, uid],
      );
      return true;
    });
  }

  override removeRetired(
    graceMs: number,
    removeVectors: (space: IndexSpace) => Promise<void>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const [row] = await manager.query<SpaceRow[]>(
        `SELECT ${SPACE_COLUMNS} FROM ${SPACES} AS space
         WHERE state = 'retiring' AND changed_at < now() - make_interval(secs => $1)
         ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [graceMs / 1000],
      );
      if (!row) return false;
      await removeVectors(toSpace(row));
      await manager.query(`DELETE FROM ${SPACES} WHERE uid = $1`, [row.uid]);
      return true;
    });
  }

  override async progress(): Promise<{ spaces: number; episodes: number; carried: number }> {
    const [row] = await this.query<{ spaces: number; episodes: number; carried: number }>(
      `SELECT count(*)::int AS spaces, coalesce(sum(episodes), 0)::int AS episodes,
              coalesce(sum(carried), 0)::int AS carried FROM ${SPACES} WHERE state = 'building'`,
    );
    return row ?? { spaces: 0, episodes: 0, carried: 0 };
  }

  override async problemOf(spaceUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ problem: string | null }>(
      `SELECT problem FROM ${SPACES} WHERE uid = $1`,
      [spaceUid],
    );
    return row?.problem ?? undefined;
  }

  /** This is nobody's work in particular. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}

async function lockSpaces(projectUid: string, tx: Transaction): Promise<IndexSpace[]> {
  const manager = await scopedManager(tx, rowsOf(projectUid));
  const rows = await manager.query<SpaceRow[]>(
    `SELECT ${SPACE_COLUMNS} FROM ${SPACES} AS space WHERE project_uid = $1 ORDER BY uid FOR UPDATE`,
    [projectUid],
  );
  return rows.map(toSpace);
}
