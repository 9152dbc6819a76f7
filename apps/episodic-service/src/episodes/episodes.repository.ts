import { episodesAdded, type Filter, type Instant, MAX_ANSWER_BYTES, type Tenant } from '@loci/contracts';
import {
  type BoundedRow,
  outboxHeaders,
  ROWS_OF_ALL,
  rowsOf,
  rowsWithin,
  scopedManager,
  type Transaction,
  UnitOfWork,
  withinBytes,
} from '@loci/persistence';
import { detached, inChildSpan, SpanKind } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { MemorySettings } from '../memory/memory-settings.js';
import {
  type DeletedEpisodes,
  type DescribedEpisode,
  type Episode,
  type NewEpisode,
  type NewEpisodes,
} from './episode.js';
import { type Add, AddBatcher } from './add-batcher.js';
import { ADD_EPISODES } from './add-episodes.sql.js';
import {
  ADDED_AT,
  type AddedRow,
  type ArrivedRow,
  authorText,
  EPISODE_BYTES,
  EPISODE_COLUMNS,
  type EpisodeRow,
  FACTS_COLUMNS,
  instantText,
  IS_LIVE,
  matching,
  toDescribed,
  toEpisode,
} from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.sql.js';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A project whose episodes wait for something, with some of them, oldest first. */
export interface WaitingEpisodes {
  readonly tenant: Tenant;
  readonly projectUid: string;
  readonly uids: readonly string[];
}

/** A window longer than this many episodes is cut: it bounds what one search reads. */
const MAX_WINDOW_EPISODES = 5_000;

/** In the trace of each add: how long it took until the statement that it shares with others was done. */
const SHARED_STATEMENT = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

/** Where episodes are kept: the truth. Every method is about one project, named by its uid, but for the sweeps. */
@Injectable()
export class EpisodesRepository {
  private readonly batcher = new AddBatcher((adds) => detached(() => this.store(adds)));

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly memory: MemorySettings,
  ) {}

  /**
   * Stores the episodes and the event that announces them, all or nothing.
   * @returns false when the tenant has no open project: nothing is stored
   */
  async add(tenant: Tenant, added: NewEpisodes, tx?: Transaction): Promise<boolean> {
    const add = { tenant, added, headers: outboxHeaders() };
    if (!tx) return inChildSpan('postgresql add_episodes', SHARED_STATEMENT, () => this.batcher.add(add));
    const [isStored = false] = await this.store([add], tx);
    return isStored;
  }

  /**
   * By `createdAt`, then uid; `total` counts the matches of all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  list(
    projectUid: string,
    filter: Filter | undefined,
    { offset, limit }: Page,
  ): Promise<{ episodes: Episode[]; total: number }> {
    const { sql, parameters } = matching(filter, 2);
    const from = `FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE} AND ${sql}`;
    const end = parameters.length + 2;
    const page = `SELECT * ${from} ORDER BY created_at, uid LIMIT $${end} OFFSET $${end + 1}`;
    const order = 'page.created_at, page.uid';
    return this.unitOfWork.single(async (manager) => {
      const [counted] = await manager.query<{ total: number }[]>(`SELECT count(*)::int AS total ${from}`, [
        projectUid,
        ...parameters,
      ]);
      const rows = await manager.query<BoundedRow<EpisodeRow>[]>(
        withinBytes({ page, columns: EPISODE_COLUMNS, bytes: EPISODE_BYTES, order, maxBytes: `$${end + 2}` }),
        [projectUid, ...parameters, limit, offset, MAX_ANSWER_BYTES],
      );
      const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
      return { episodes: rowsWithin(rows, asked).map(toEpisode), total: counted?.total ?? 0 };
    }, rowsOf(projectUid));
  }

  async count(projectUid: string): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE}`,
          [projectUid],
        ),
      rowsOf(projectUid),
    );
    return row?.count ?? 0;
  }

  /**
   * The episodes among these that exist and match, in no particular order.
   * @param maxBytes of all of them; default: as many as fit into an answer
   * @throws AppError `body_too_large` when they have more, before they are read
   */
  async findMatching(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<Episode[]> {
    const { sql, parameters } = matching(filter, 4);
    const page = `SELECT episodes.* FROM ${episodesByUid('$2::uuid[]')} AS episodes
                  WHERE project_uid = $1 AND ${IS_LIVE} AND ${sql}`;
    const rows = await this.unitOfWork.prepared<BoundedRow<EpisodeRow>>(
      {
        name: filter ? undefined : 'episodes_by_uid',
        sql: withinBytes({ page, columns: EPISODE_COLUMNS, bytes: EPISODE_BYTES, maxBytes: '$3' }),
      },
      [projectUid, uids, maxBytes, ...parameters],
      { scope: rowsOf(projectUid) },
    );
    return rowsWithin(rows, { maxBytes, field: 'top_k', count: uids.length }).map(toEpisode);
  }

  /** Those of the episodes that exist, in no particular order. @param withContent false leaves their texts empty */
  async describe(
    projectUid: string,
    uids: readonly string[],
    withContent: boolean,
  ): Promise<DescribedEpisode[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<(ArrivedRow & AddedRow)[]>(
          `SELECT ${withContent ? 'content' : `'' AS content`}, ${FACTS_COLUMNS}, ${ADDED_AT}, ingested
           FROM ${episodesByUid('$2::uuid[]')} AS episodes WHERE project_uid = $1 AND ${IS_LIVE}`,
          [projectUid, uids],
        ),
      rowsOf(projectUid),
    );
    return rows.map(toDescribed);
  }

  /**
   * The newest `limit` matching episodes among those that fit together into `capacityChars`, oldest first.
   * The newest one is always among them, however long.
   */
  async newest(
    projectUid: string,
    filter: Filter | undefined,
    { capacityChars, limit }: { capacityChars: number; limit: number },
  ): Promise<Episode[]> {
    const { sql, parameters } = matching(filter, 5);
    const considered = filter ? MAX_WINDOW_EPISODES : Math.min(limit, MAX_WINDOW_EPISODES);
    const rows = await this.unitOfWork.prepared<EpisodeRow>(
      {
        name: filter ? undefined : 'newest_episodes',
        sql: `WITH latest AS (
           SELECT * FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND ${IS_LIVE} AND in_short_term
           ORDER BY created_at DESC, uid DESC LIMIT $4
         ), measured AS (
           SELECT *, sum(char_length(content)) OVER newest_first AS chars, row_number() OVER newest_first AS place
           FROM latest WINDOW newest_first AS (ORDER BY created_at DESC, uid DESC ROWS UNBOUNDED PRECEDING)
         )
         SELECT ${EPISODE_COLUMNS} FROM measured
         WHERE (chars <= $2 OR place = 1) AND ${sql}
         ORDER BY measured.created_at DESC, measured.uid DESC LIMIT $3`,
      },
      [projectUid, capacityChars, limit, considered, ...parameters],
      { scope: rowsOf(projectUid) },
    );
    return rows.map(toEpisode).reverse();
  }

  /** Turns episodes into tombstones. @returns those that were there */
  async remove(projectUid: string, uids: readonly string[], tx: Transaction): Promise<DeletedEpisodes> {
    const manager = await scopedManager(tx, rowsOf(projectUid));
    const [removed] = await manager.query<{ uids: string[]; added_until: Instant | null }[]>(
      `WITH removed AS (
         UPDATE ${SCHEMA}.episodes SET deleted_at = now()
         WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${IS_LIVE} RETURNING uid, added_at, in_summary
       ), forgotten AS (
         -- what was deleted must not live on in the summary
         UPDATE ${SCHEMA}.summaries
         SET text = '', is_reset = true, complete_to = NULL, fence = fence + 1, lease_until = NULL, wanted_at = now(),
             ordered_at = NULL, retry_at = NULL
         WHERE project_uid = $1 AND EXISTS (SELECT FROM removed WHERE in_summary))
       SELECT coalesce(array_agg(uid::text), '{}') AS uids, ${instantText('max(added_at)')} AS added_until FROM removed`,
      [projectUid, uids],
    );
    return { uids: removed?.uids ?? [], addedUntil: removed?.added_until ?? undefined };
  }

  /** Erases up to `limit` episodes of a closed project. @returns how many were erased; 0 when none is left */
  async erase(projectUid: string, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ erased: number }[]>(
          `WITH erased AS (
           DELETE FROM ${SCHEMA}.episodes WHERE uid IN (
             SELECT uid FROM ${SCHEMA}.episodes WHERE project_uid = $1 LIMIT $2) RETURNING uid)
         SELECT count(*)::int AS erased FROM erased`,
          [projectUid, limit],
        ),
      rowsOf(projectUid),
    );
    return row?.erased ?? 0;
  }

  private async store(adds: readonly Add[], tx?: Transaction): Promise<boolean[]> {
    const { isShortTermEnabled, isLongTermEnabled } = this.memory;
    const rows = JSON.stringify(adds.map(toAddRow));
    const parameters = [rows, episodesAdded.subject, isShortTermEnabled, isLongTermEnabled];
    // the statement is for any number of tenants, and takes each of its rows from the tenant that it names
    const accepted = await this.unitOfWork.prepared<{ place: number }>(ADD_EPISODES, parameters, {
      tx,
      scope: ROWS_OF_ALL,
    });
    const places = new Set(accepted.map(({ place }) => place));
    return adds.map((_, place) => places.has(place));
  }
}

const toAddRow = ({ tenant, added: { types, episodes, author }, headers }: Add, place: number): object => ({
  place,
  org_id: tenant.orgId,
  project_id: tenant.projectId,
  author: author && authorText(author),
  types,
  episodes: episodes.map(toInsert),
  uids: episodes.map(({ uid }) => uid),
  event_id: uuidv7(),
  headers,
});

const toInsert = (episode: NewEpisode): object => ({
  uid: episode.uid,
  content: episode.content,
  producer_id: episode.producerId,
  producer_role: episode.producerRole,
  produced_for_id: episode.producedForId,
  metadata: episode.metadata,
  created_at: episode.createdAt,
});
