import { type IndexVersion, type MostWaiting, type Waiting } from '@loci/indexing';
import { type RowOf, ROWS_OF_ALL, rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { toEpisode } from '../episodes/episode-rows.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { COUNTED_EPISODES } from './counted-episodes.sql.js';
import { COUNT_INDEXED_EPISODES } from './count-indexed-episodes.sql.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';
import { type EpisodeInContext, type IndexedEpisode } from './episode-in-context.js';
import { type IN_CONTEXT_ROW } from './episodes-in-context.js';
import { MARK_INDEXED } from './mark-indexed.sql.js';
import { MISSING_EPISODES } from './missing-episodes.sql.js';
import { PROJECTS_WITH_WAITING } from './projects-with-waiting.sql.js';
import { SORT_EPISODES } from './sort-episodes.sql.js';
import { TAKE_OVERDUE_EPISODES } from './take-overdue-episodes.sql.js';
import { TAKE_OVERDUE_TOMBSTONES } from './take-overdue-tombstones.sql.js';
import { WAITING_EPISODES } from './waiting-episodes.sql.js';

const toEpisodeInContext = (row: RowOf<typeof IN_CONTEXT_ROW>): EpisodeInContext => ({
  ...toEpisode(row),
  previous: row.previous ?? undefined,
});

/** Which episodes have their vectors. The table of episodes is the truth; the vector index follows it. */
@Injectable()
export class IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The episodes of a project that have no vector yet, last added first, whenever they were said. */
  async waiting(projectUid: string, most: MostWaiting): Promise<Waiting<Episode>> {
    const values = [projectUid, most.rows, most.bytes];
    const rows = await this.unitOfWork.execute(WAITING_EPISODES, values, { scope: rowsOf(projectUid) });
    return { items: rows.map(toEpisode), count: rows[0]?.waiting_count ?? 0 };
  }

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and have nothing of those in `gone`.
   */
  async sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }> {
    const rows = await this.read(indexVersion, uids);
    const known = new Set(rows.map(({ uid }) => uid));
    return {
      wanted: rows.filter((row) => !row.is_indexed).map(toEpisodeInContext),
      gone: uids.filter((uid) => !known.has(uid)),
    };
  }

  /** Those of the uids that are to have a vector, whether or not they have one. */
  async present(indexVersion: IndexVersion, uids: readonly string[]): Promise<EpisodeInContext[]> {
    return (await this.read(indexVersion, uids)).map(toEpisodeInContext);
  }

  /** Episodes that are not in an index version that is being built. */
  async missing({ uid, ownerUid: projectUid }: IndexVersion, limit: number): Promise<EpisodeInContext[]> {
    const rows = await this.unitOfWork.execute(MISSING_EPISODES, [projectUid, uid, limit], {
      scope: rowsOf(projectUid),
    });
    return rows.map(toEpisodeInContext);
  }

  /**
   * Notes that these episodes have their vectors in an index version. Those that got another previous turn meanwhile go on
   * waiting, and so do those behind them whose vectors tell of another one. For an index version that is not used any more
   * nothing is noted.
   * @returns those that were deleted meanwhile: they must have no vector
   */
  async markIndexed(indexVersion: IndexVersion, indexed: readonly IndexedEpisode[]): Promise<string[]> {
    return (await this.noteIndexed(indexVersion, indexed)).gone;
  }

  /** As `markIndexed`; tells as well which episodes had no vector before that a search could find. */
  async noteIndexed(
    { uid: versionUid, ownerUid: projectUid }: IndexVersion,
    indexed: readonly IndexedEpisode[],
  ): Promise<{ readonly gone: string[]; readonly first: string[] }> {
    const uids = indexed.map(({ uid }) => uid);
    const previousUids = indexed.map(({ previousUid }) => previousUid ?? null);
    const parameters = [projectUid, uids, previousUids, versionUid];
    const rows = await this.unitOfWork.execute(MARK_INDEXED, parameters, { scope: rowsOf(projectUid) });
    const found = new Set(rows.map(({ uid }) => uid));
    return {
      gone: uids.filter((uid) => !found.has(uid)),
      first: rows.flatMap(({ uid, is_first }) => (is_first ? [uid] : [])),
    };
  }

  /** Episodes whose words are counted, newer and older ones. */
  counted(
    projectUid: string,
    limit: number,
  ): Promise<Pick<Episode, 'createdAt' | 'producerId' | 'content'>[]> {
    const parameters = [projectUid, Math.floor(limit / 2)];
    return this.unitOfWork.execute(COUNTED_EPISODES, parameters, { scope: rowsOf(projectUid) });
  }

  /** Removes tombstones whose vectors are gone; episodes whose vectors tell of them wait for new ones. */
  async dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.execute(DROP_TOMBSTONES, [projectUid, uids], { scope: rowsOf(projectUid) });
  }

  /** Projects with episodes that have no vector yet, sorted by uid, behind `after`. */
  async projectsWithWaiting(after: string, limit: number, tx: Transaction): Promise<string[]> {
    const options = { tx, scope: ROWS_OF_ALL };
    const rows = await this.unitOfWork.execute(PROJECTS_WITH_WAITING, [after, limit], options);
    return rows.map((row) => row.project_uid);
  }

  /**
   * Takes episodes that have waited for their vectors for long; their waiting time starts again. Half of them are of these
   * projects, as many of each, the rest by age.
   */
  takeOverdue(
    patienceMs: number,
    { projects, limit }: { readonly projects: readonly string[]; readonly limit: number },
    tx: Transaction,
  ): Promise<WaitingEpisodes[]> {
    return this.take(TAKE_OVERDUE_EPISODES, [patienceMs / 1000, limit, projects], tx);
  }

  /** Takes tombstones that have waited for long to be removed; their waiting time starts again. */
  takeOverdueTombstones(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingEpisodes[]> {
    return this.take(TAKE_OVERDUE_TOMBSTONES, [patienceMs / 1000, limit], tx);
  }

  /** How many episodes of a project there are for long-term memory, and are in its active index version, and in another one. */
  async counts(
    projectUid: string,
    buildingUid: string | undefined,
  ): Promise<{ episodes: number; indexed: number; carried: number }> {
    const [row] = await this.unitOfWork.execute(COUNT_INDEXED_EPISODES, [projectUid, buildingUid], {
      scope: rowsOf(projectUid),
    });
    return row ?? { episodes: 0, indexed: 0, carried: 0 };
  }

  private read(
    { uid, ownerUid: projectUid, state }: IndexVersion,
    uids: readonly string[],
  ): Promise<RowOf<(typeof SORT_EPISODES)['row']>[]> {
    const parameters = [projectUid, uids, state === 'building' ? uid : null];
    return this.unitOfWork.execute(SORT_EPISODES, parameters, { scope: rowsOf(projectUid) });
  }

  private async take(
    statement: typeof TAKE_OVERDUE_EPISODES,
    parameters: readonly unknown[],
    tx: Transaction,
  ): Promise<WaitingEpisodes[]> {
    const rows = await this.unitOfWork.execute(statement, parameters, { tx, scope: ROWS_OF_ALL });
    return rows.map((row) => ({
      tenant: { orgId: row.org_id, projectId: row.project_id },
      projectUid: row.project_uid,
      uids: row.uids,
    }));
  }
}
