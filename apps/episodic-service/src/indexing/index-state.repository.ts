import { type IndexVersion } from '@loci/indexing';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  type RowScope,
  rowsOf,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.sql.js';
import { EPISODE_COLUMNS, type EpisodeRow, toEpisode } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.sql.js';
import { type EpisodeInContext, type IndexedEpisode, type PreviousTurn } from './episode-in-context.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';
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

interface RowInContext extends EpisodeRow {
  readonly previous: PreviousTurn | null;
}

interface SortedRow extends RowInContext {
  readonly is_indexed: boolean;
}

/** Episodes with their previous turns. */
const inContext = (episodes: string): string =>
  `${episodes} AS asked LEFT JOIN LATERAL ${adjacentEpisode(
    'before',
    `json_build_object('uid', uid, 'ending', right(content, ${ENDING_CHARACTERS})) AS turn`,
    'asked',
  )} AS previous ON true`;

const MISSING: PreparedStatement = {
  name: 'missing_in_space',
  sql: `
    SELECT ${EPISODE_COLUMNS}, previous.turn AS previous FROM ${inContext(EPISODES)}
    WHERE project_uid = $1 AND ${BELONGS} AND carried_to IS DISTINCT FROM $2
      AND (asked.created_at, asked.uid) > ($3::timestamptz, $4::uuid)
    ORDER BY asked.created_at, asked.uid LIMIT $5`,
};

const FIRST_UID = '00000000-0000-0000-0000-000000000000';

const SORT: PreparedStatement = {
  name: 'sort_for_index',
  sql: `
    SELECT ${EPISODE_COLUMNS}, previous.turn AS previous,
           CASE WHEN $3::uuid IS NULL THEN indexed_at IS NOT NULL ELSE carried_to IS NOT DISTINCT FROM $3 END AS is_indexed
    FROM ${inContext(episodesByUid('$2::uuid[]'))}
    WHERE project_uid = $1 AND ${BELONGS}`,
};

const toEpisodeInContext = (row: RowInContext): EpisodeInContext => ({
  ...toEpisode(row),
  previous: row.previous ?? undefined,
});

/** Which episodes have their vectors. The table of episodes is the truth; the vector index follows it. */
@Injectable()
export class IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The episodes of a project that have no vector yet, last added first, whenever they were said. */
  async waiting(projectUid: string, limit: number): Promise<Episode[]> {
    const rows = await this.query<EpisodeRow>(
      rowsOf(projectUid),
      `SELECT ${EPISODE_COLUMNS} FROM ${EPISODES} WHERE project_uid = $1 AND ${IS_WAITING}
       ORDER BY added_at DESC, episodes.uid DESC LIMIT $2`,
      [projectUid, limit],
    );
    return rows.map(toEpisode);
  }

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and hold nothing of those in `gone`.
   */
  async sort(
    { uid, ownerUid: projectUid, state }: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }> {
    const buildingUid = state === 'building' ? uid : null;
    const rows = await this.prepared<SortedRow>(SORT, projectUid, [projectUid, uids, buildingUid]);
    const known = new Set(rows.map(({ uid }) => uid));
    return {
      wanted: rows.filter((row) => !row.is_indexed).map(toEpisodeInContext),
      gone: uids.filter((uid) => !known.has(uid)),
    };
  }

  /** Episodes that are not in an index version that is being built, in the order in which they were said, behind `after`. */
  async missing(
    { uid, ownerUid: projectUid }: IndexVersion,
    after: EpisodeInContext | undefined,
    limit: number,
  ): Promise<EpisodeInContext[]> {
    const place = [after?.createdAt ?? '-infinity', after?.uid ?? FIRST_UID];
    const rows = await this.prepared<RowInContext>(MISSING, projectUid, [projectUid, uid, ...place, limit]);
    return rows.map(toEpisodeInContext);
  }

  /**
   * Notes that these episodes have their vectors in an index version. Those that got another previous turn meanwhile go on
   * waiting, and so do those behind them whose vectors tell of another one. For an index version that is not used any more
   * nothing is noted.
   * @returns those that were deleted meanwhile: they must have no vector
   */
  async markIndexed(
    { uid: versionUid, ownerUid: projectUid }: IndexVersion,
    indexed: readonly IndexedEpisode[],
  ): Promise<string[]> {
    const uids = indexed.map(({ uid }) => uid);
    const previousUids = indexed.map(({ previousUid }) => previousUid ?? null);
    const parameters = [projectUid, uids, previousUids, versionUid];
    const rows = await this.prepared<{ uid: string }>(MARK_INDEXED, projectUid, parameters);
    const found = new Set(rows.map(({ uid }) => uid));
    return uids.filter((uid) => !found.has(uid));
  }

  /** Removes tombstones whose vectors are gone; episodes whose vectors tell of them wait for new ones. */
  async dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.prepared(DROP_TOMBSTONES, projectUid, [projectUid, uids]);
  }

  /** Takes episodes that have waited for their vectors for long; they count as ordered now. */
  takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingEpisodes[]> {
    return this.take(`${IS_WAITING} AND coalesce(ordered_at, added_at) < now() - make_interval(secs => $1)`, {
      patienceMs,
      limit,
      tx,
    });
  }

  /** Takes tombstones that have waited for long to be removed; they count as ordered now. */
  takeOverdueTombstones(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingEpisodes[]> {
    const isOverdue = 'greatest(ordered_at, deleted_at) < now() - make_interval(secs => $1)';
    return this.take(`deleted_at IS NOT NULL AND ${isOverdue}`, { patienceMs, limit, tx });
  }

  /** How many episodes of a project there are for long-term memory, and are in its active index version, and in another one. */
  async counts(
    projectUid: string,
    buildingUid: string | undefined,
  ): Promise<{ episodes: number; indexed: number; carried: number }> {
    const [row] = await this.query<{ episodes: number; indexed: number; carried: number }>(
      rowsOf(projectUid),
      `SELECT count(*)::int AS episodes, count(indexed_at)::int AS indexed,
              count(*) FILTER (WHERE carried_to = $2)::int AS carried
       FROM ${EPISODES} WHERE project_uid = $1 AND ${BELONGS}`,
      [projectUid, buildingUid],
    );
    return row ?? { episodes: 0, indexed: 0, carried: 0 };
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

  private prepared<Row>(
    statement: PreparedStatement,
    projectUid: string,
    parameters: readonly unknown[],
  ): Promise<Row[]> {
    return this.unitOfWork.prepared<Row>(statement, parameters, { scope: rowsOf(projectUid) });
  }

  private query<Row>(scope: RowScope, sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), scope);
  }
}
