import { entityManager, type PreparedStatement, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.sql.js';
import { EPISODE_COLUMNS, type EpisodeRow, toEpisode } from '../episodes/episode-rows.js';
import { type Episode } from '../episodes/episode.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';
import { type EpisodeInContext, type IndexedEpisode, type PreviousTurn } from './episode-in-context.js';
import { IndexStateRepository } from './index-state.repository.js';
import { MARK_INDEXED } from './mark-indexed.sql.js';

const EPISODES = `${SCHEMA}.episodes`;

/** What is embedded of the previous turn: the end of it is what was answered. */
const ENDING_CHARACTERS = 200;

const IS_WAITING = `indexed_at IS NULL AND ${BELONGS}`;

interface WaitingRow {
  readonly org_id: string;
  readonly project_id: string;
  readonly project_uid: string;
  readonly uids: string[];
}

interface SortedRow extends EpisodeRow {
  readonly is_indexed: boolean;
  readonly previous: PreviousTurn | null;
}

const HAS_WAITING: PreparedStatement = {
  name: 'has_waiting_episodes',
  sql: `SELECT FROM ${EPISODES} WHERE project_uid = $1 AND ${IS_WAITING} LIMIT 1`,
};

const SORT: PreparedStatement = {
  name: 'sort_for_index',
  sql: `
    SELECT ${EPISODE_COLUMNS}, indexed_at IS NOT NULL AS is_indexed, previous.turn AS previous
    FROM ${EPISODES} AS asked LEFT JOIN LATERAL ${adjacentEpisode(
      'before',
      `json_build_object('uid', uid, 'ending', right(content, ${ENDING_CHARACTERS})) AS turn`,
      'asked',
    )} AS previous ON true
    WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${BELONGS}`,
};

const toEpisodeInContext = (row: SortedRow): EpisodeInContext => ({
  ...toEpisode(row),
  previous: row.previous ?? undefined,
});

@Injectable()
export class TypeormIndexStateRepository extends IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async waiting(projectUid: string, limit: number): Promise<Episode[]> {
    const rows = await this.query<EpisodeRow>(
      `SELECT ${EPISODE_COLUMNS} FROM ${EPISODES} WHERE project_uid = $1 AND ${IS_WAITING}
       ORDER BY added_at DESC, episodes.uid DESC LIMIT $2`,
      [projectUid, limit],
    );
    return rows.map(toEpisode);
  }

  override async hasWaiting(projectUid: string): Promise<boolean> {
    return (await this.unitOfWork.prepared(HAS_WAITING, [projectUid])).length > 0;
  }

  override async sort(
    projectUid: string,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }> {
    const rows = await this.unitOfWork.prepared<SortedRow>(SORT, [projectUid, uids]);
    const known = new Set(rows.map(({ uid }) => uid));
    return {
      wanted: rows.filter((row) => !row.is_indexed).map(toEpisodeInContext),
      gone: uids.filter((uid) => !known.has(uid)),
    };
  }

  override async markIndexed(projectUid: string, indexed: readonly IndexedEpisode[]): Promise<string[]> {
    const uids = indexed.map(({ uid }) => uid);
    const previousUids = indexed.map(({ previousUid }) => previousUid ?? null);
    const rows = await this.unitOfWork.prepared<{ uid: string }>(MARK_INDEXED, [
      projectUid,
      uids,
      previousUids,
    ]);
    const found = new Set(rows.map(({ uid }) => uid));
    return uids.filter((uid) => !found.has(uid));
  }

  override async markLost(uids: readonly string[]): Promise<void> {
    await this.query(
      `UPDATE ${EPISODES} SET indexed_at = NULL, ordered_at = NULL WHERE uid = ANY($1::uuid[])`,
      [uids],
    );
  }

  override async markAllLost(limit: number): Promise<number> {
    const [row] = await this.query<{ marked: number }>(
      `WITH marked AS (
         UPDATE ${EPISODES} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (
           SELECT uid FROM ${EPISODES} WHERE indexed_at IS NOT NULL LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING uid)
       SELECT count(*)::int AS marked FROM marked`,
      [limit],
    );
    return row?.marked ?? 0;
  }

  override async dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.prepared(DROP_TOMBSTONES, [projectUid, uids]);
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
      `SELECT count(*)::int AS episodes, coalesce(extract(epoch FROM now() - min(added_at)), 0)::float AS oldest
       FROM ${EPISODES} WHERE ${IS_WAITING}`,
    );
    return { episodes: row?.episodes ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  override async countIndexed(): Promise<number> {
    const [row] = await this.query<{ indexed: number }>(
      `SELECT count(*)::int AS indexed FROM ${EPISODES} WHERE indexed_at IS NOT NULL AND deleted_at IS NULL`,
    );
    return row?.indexed ?? 0;
  }

  override async indexedAfter(after: string | undefined, limit: number): Promise<string[]> {
    const rows = await this.query<{ uid: string }>(
      `SELECT uid FROM ${EPISODES}
       WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ($1::uuid IS NULL OR uid > $1) ORDER BY uid LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ uid }) => uid);
  }

  override async mayHaveVectors(uids: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ uid: string }>(
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
    const rows = await entityManager(tx).query<WaitingRow[]>(
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

  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters));
  }
}
