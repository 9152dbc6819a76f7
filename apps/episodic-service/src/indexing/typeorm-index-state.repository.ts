import {
  ROWS_OF_ALL,
  type RowScope,
  rowsOf,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, type EpisodeRow, toEpisode } from '../episodes/episode-rows.js';
import { type Episode } from '../episodes/episode.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { IndexStateRepository } from './index-state.repository.js';

const EPISODES = `${SCHEMA}.episodes`;

/** Holds for every episode that belongs into the vector index. */
const BELONGS = 'in_long_term AND deleted_at IS NULL';

const IS_WAITING = `indexed_at IS NULL AND ${BELONGS}`;

interface WaitingRow {
  readonly org_id: string;
  readonly project_id: string;
  readonly project_uid: string;
  readonly uids: string[];
}

@Injectable()
export class TypeormIndexStateRepository extends IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async waiting(projectUid: string, limit: number): Promise<Episode[]> {
    const rows = await this.query<EpisodeRow>(
      rowsOf(projectUid),
      `SELECT ${EPISODE_COLUMNS} FROM ${EPISODES} WHERE project_uid = $1 AND ${IS_WAITING}
       ORDER BY added_at DESC, episodes.uid DESC LIMIT $2`,
      [projectUid, limit],
    );
    return rows.map(toEpisode);
  }

  override async hasWaiting(projectUid: string): Promise<boolean> {
    const rows = await this.query(
      rowsOf(projectUid),
      `SELECT FROM ${EPISODES} WHERE project_uid = $1 AND ${IS_WAITING} LIMIT 1`,
      [projectUid],
    );
    return rows.length > 0;
  }

  override async sort(
    projectUid: string,
    uids: readonly string[],
  ): Promise<{ wanted: Episode[]; gone: string[] }> {
    const rows = await this.query<EpisodeRow & { is_indexed: boolean }>(
      rowsOf(projectUid),
      `SELECT ${EPISODE_COLUMNS}, indexed_at IS NOT NULL AS is_indexed FROM ${EPISODES}
       WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${BELONGS}`,
      [projectUid, uids],
    );
    const known = new Set(rows.map(({ uid }) => uid));
    return {
      wanted: rows.filter((row) => !row.is_indexed).map(toEpisode),
      gone: uids.filter((uid) => !known.has(uid)),
    };
  }

  override async markIndexed(projectUid: string, uids: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(
      rowsOf(projectUid),
      `WITH marked AS (
         UPDATE ${EPISODES} SET indexed_at = now()
         WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${BELONGS} RETURNING uid)
       SELECT uid FROM marked`,
      [projectUid, uids],
    );
    const marked = new Set(rows.map(({ uid }) => uid));
    return uids.filter((uid) => !marked.has(uid));
  }

  override async markLost(uids: readonly string[]): Promise<void> {
    await this.query(
      ROWS_OF_ALL,
      `UPDATE ${EPISODES} SET indexed_at = NULL, ordered_at = NULL WHERE uid = ANY($1::uuid[])`,
      [uids],
    );
  }

  override async markAllLost(limit: number): Promise<number> {
    const [row] = await this.query<{ marked: number }>(
      ROWS_OF_ALL,
      `WITH marked AS (
         UPDATE ${EPISODES} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (
           SELECT uid FROM ${EPISODES} WHERE indexed_at IS NOT NULL LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING uid)
       SELECT count(*)::int AS marked FROM marked`,
      [limit],
    );
    return row?.marked ?? 0;
  }

  override async dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.query(
      rowsOf(projectUid),
      `DELETE FROM ${EPISODES} WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND deleted_at IS NOT NULL`,
      [projectUid, uids],
    );
  }

  override takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingEpisodes[]> {
    return this.take(`${IS_WAITING} AND coalesce(ordered_at, added_at) < now() - make_interval(secs => $1)`, {
      patienceMs,
      limit,
      tx,
    });
  }

  override takeOverdueTombstones(
    patienceMs: number,
    limit: number,
    tx: Transaction,
  ): Promise<WaitingEpisodes[]> {
    const isOverdue = 'greatest(ordered_at, deleted_at) < now() - make_interval(secs => $1)';
    return this.take(`deleted_at IS NOT NULL AND ${isOverdue}`, { patienceMs, limit, tx });
  }

  override async backlog(): Promise<{ episodes: number; oldestSeconds: number }> {
    const [row] = await this.query<{ episodes: number; oldest: number }>(
      ROWS_OF_ALL,
      `SELECT count(*)::int AS episodes, coalesce(extract(epoch FROM now() - min(added_at)), 0)::float AS oldest
       FROM ${EPISODES} WHERE ${IS_WAITING}`,
    );
    return { episodes: row?.episodes ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  override async countIndexed(): Promise<number> {
    const [row] = await this.query<{ indexed: number }>(
      ROWS_OF_ALL,
      `SELECT count(*)::int AS indexed FROM ${EPISODES} WHERE indexed_at IS NOT NULL AND deleted_at IS NULL`,
    );
    return row?.indexed ?? 0;
  }

  override async indexedAfter(after: string | undefined, limit: number): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(
      ROWS_OF_ALL,
      `SELECT uid FROM ${EPISODES}
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ($1::uuid IS NULL OR uid > $1) ORDER BY uid LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ uid }) => uid);
  }

  override async mayHaveVectors(uids: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ uid: string }>(
      ROWS_OF_ALL,
      `SELECT episodes.uid FROM ${EPISODES} JOIN ${SCHEMA}.projects ON projects.uid = project_uid
       WHERE episodes.uid = ANY($1::uuid[]) AND ${BELONGS} AND state = 'open'`,
      [uids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  private async take(
    condition: string,
    { patienceMs, limit, tx }: { patienceMs: number; limit: number; tx: Transaction },
  ): Promise<WaitingEpisodes[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const rows = await manager.query<WaitingRow[]>(
      `WITH taken AS (
         SELECT uid FROM ${EPISODES} WHERE ${condition} ORDER BY added_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ), ordered AS (
         UPDATE ${EPISODES} SET ordered_at = now() FROM taken WHERE episodes.uid = taken.uid
         RETURNING episodes.uid, episodes.project_uid
       )
       SELECT org_id, project_id, project_uid, array_agg(ordered.uid) AS uids
       FROM ordered JOIN ${SCHEMA}.projects ON projects.uid = project_uid
       WHERE state = 'open' GROUP BY org_id, project_id, project_uid`,
      [patienceMs / 1000, limit],
    );
    return rows.map((row) => ({
      tenant: { orgId: row.org_id, projectId: row.project_id },
      projectUid: row.project_uid,
      uids: row.uids,
    }));
  }

  private query<Row>(scope: RowScope, sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), scope);
  }
}
