import { type IngestedSet, type MemoryType, type Tenant, tenantName } from '@loci/contracts';
import { rowsOf, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { RequestContext } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type AddedFacts, type ArrivedEpisode, type Episode, type NewEpisode } from '../episodes/episode.js';
import { projectLockKey, SCHEMA } from '../database.js';
import {
  ADDED_AT,
  type AddedRow,
  type ArrivedRow,
  authorText,
  EPISODE_COLUMNS,
  FACTS_COLUMNS,
  IS_LIVE,
  toAddedFacts,
  toArrived,
} from '../episodes/episode-rows.js';

/** An episode with the memories that it feeds. */
export interface TransferredEpisode extends ArrivedEpisode {
  readonly types: readonly MemoryType[];
}

/** An episode on its way in from elsewhere. */
export interface ArrivingEpisode extends NewEpisode {
  /** What it was called where it comes from, if that can be a uid of ours. */
  readonly sourceUid: string | undefined;
  readonly types: readonly MemoryType[];
  readonly ingested: readonly IngestedSet[] | undefined;
}

/** A project by its name and by its uid. */
export interface NamedProject {
  readonly tenant: Tenant;
  readonly projectUid: string;
}

interface TransferredRow extends ArrivedRow {
  readonly is_episodic: boolean;
  readonly is_semantic: boolean;
}

/** Which halves of episodic memory a project uses. */
interface UsedMemories {
  readonly short_term: boolean;
  readonly long_term: boolean;
}

/** Bounds what one page reads, however short the episodes are. */
const MAX_PAGE_EPISODES = 500;

/** Moves episodes of one project out and in. */
@Injectable()
export class TransferRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The next episodes by `createdAt`, then uid, together about `maxBytes` at most; at least one unless none is left. */
  async next(
    projectUid: string,
    after: Pick<Episode, 'createdAt' | 'uid'> | undefined,
    maxBytes: number,
  ): Promise<TransferredEpisode[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<TransferredRow[]>(
          `WITH page AS (
           SELECT * FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND ${IS_LIVE} ${after ? 'AND (created_at, uid) > ($3::timestamptz, $4::uuid)' : ''}
           ORDER BY created_at, uid LIMIT ${MAX_PAGE_EPISODES}
         ), measured AS (
           SELECT *, sum(octet_length(content) + octet_length(metadata::text)) OVER in_order AS bytes,
                  row_number() OVER in_order AS place
           FROM page WINDOW in_order AS (ORDER BY created_at, uid ROWS UNBOUNDED PRECEDING)
         )
         SELECT ${EPISODE_COLUMNS}, ingested, in_short_term OR in_long_term AS is_episodic, is_semantic
         FROM measured
         WHERE bytes <= $2 OR place = 1 ORDER BY measured.created_at, measured.uid`,
          [projectUid, maxBytes, ...(after ? [after.createdAt, after.uid] : [])],
        ),
      rowsOf(projectUid),
    );
    return rows.map((row) => ({ ...toArrived(row), types: typesOf(row) }));
  }

  /**
   * Stores those that the project does not have under their uid or their source uid, deleted ones that are still being
   * purged included.
   * @returns the uids that were stored; undefined when the project is not open
   */
  async insertMissing(
    { tenant, projectUid }: NamedProject,
    episodes: readonly ArrivingEpisode[],
    tx: Transaction,
  ): Promise<string[] | undefined> {
    const memories = await this.lockOpen({ tenant, projectUid }, tx);
    if (!memories) return undefined;
    const writer = RequestContext.current()?.author;
    const author = writer && authorText(writer);
    const manager = await scopedManager(tx, rowsOf(projectUid));
    const rows = await manager.query<{ uid: string }[]>(
      `WITH added AS (
         INSERT INTO ${SCHEMA}.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id,
                                         metadata, created_at, in_short_term, in_long_term, is_semantic, ingested,
                                         author)
         SELECT given.uid, $1::uuid, given.content, given.producer_id, given.producer_role, given.produced_for_id,
                given.metadata, coalesce(given.created_at, now()),
                types ? 'episodic' AND $3, types ? 'episodic' AND $4, types ? 'semantic',
                given.ingested, $5
         FROM json_to_recordset($2::json) AS given(
           uid uuid, source_uid uuid, content text, producer_id text, producer_role text, produced_for_id text,
           metadata jsonb, created_at timestamptz, types jsonb, ingested jsonb)
         WHERE NOT EXISTS (
           SELECT FROM ${SCHEMA}.episodes AS known
           WHERE known.uid = given.source_uid AND known.project_uid = $1::uuid)
         ORDER BY given.uid
         ON CONFLICT (uid) DO NOTHING
         RETURNING uid)
       SELECT uid FROM added`,
      [projectUid, JSON.stringify(episodes.map(toInsert)), memories.short_term, memories.long_term, author],
    );
    return rows.map(({ uid }) => uid);
  }

  /** Those of the episodes that are there. */
  async locate(projectUid: string, uids: readonly string[]): Promise<AddedFacts[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<AddedRow[]>(
          `SELECT ${FACTS_COLUMNS}, ${ADDED_AT} FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${IS_LIVE}`,
          [projectUid, uids],
        ),
      rowsOf(projectUid),
    );
    return rows.map(toAddedFacts);
  }

  /** The locks are those of an add: closing the project waits for what is under way, and what comes later sees it closed. */
  private async lockOpen(
    { tenant, projectUid }: NamedProject,
    tx: Transaction,
  ): Promise<UsedMemories | undefined> {
    const manager = await scopedManager(tx, rowsOf(tenantName(tenant)));
    const [used] = await manager.query<UsedMemories[]>(
      `WITH queued AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${projectLockKey('$1')}))
       SELECT enabled AND short_term_enabled AS short_term, enabled AND long_term_enabled AS long_term
       FROM ${SCHEMA}.projects, queued WHERE uid = $1::uuid AND state = 'open' FOR SHARE OF projects`,
      [projectUid],
    );
    return used;
  }
}

const typesOf = ({ is_episodic, is_semantic }: TransferredRow): MemoryType[] => [
  ...(is_episodic ? (['episodic'] as const) : []),
  ...(is_semantic ? (['semantic'] as const) : []),
];

const toInsert = (episode: ArrivingEpisode): object => ({
  uid: episode.uid,
  source_uid: episode.sourceUid,
  content: episode.content,
  producer_id: episode.producerId,
  producer_role: episode.producerRole,
  produced_for_id: episode.producedForId,
  metadata: episode.metadata,
  created_at: episode.createdAt,
  types: episode.types,
  ingested: episode.ingested,
});
