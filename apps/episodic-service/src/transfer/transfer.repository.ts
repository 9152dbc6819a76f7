import { type IngestedSet, type MemoryType, type Tenant, tenantName } from '@loci/contracts';
import { type RowOf, rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { RequestContext } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { Conversations } from '../episodes/conversations.js';
import { type AddedFacts, type IngestedEpisode, type Episode, type NewEpisode } from '../episodes/episode.js';
import { authorText, toAddedFacts, toIngested } from '../episodes/episode-rows.js';
import { INSERT_MISSING_EPISODES } from './insert-missing-episodes.sql.js';
import { LOCATE_EPISODES } from './locate-episodes.sql.js';
import { LOCK_OPEN_PROJECT } from './lock-open-project.sql.js';
import { nextEpisodes } from './next-episodes.sql.js';

/** An episode with the memories that it feeds. */
export interface TransferredEpisode extends IngestedEpisode {
  readonly types: readonly MemoryType[];
}

/** An episode on its way in from elsewhere. */
export interface EpisodeToImport extends NewEpisode {
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

/** Moves episodes of one project out and in. */
@Injectable()
export class TransferRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: Conversations,
  ) {}

  /** The next episodes by `createdAt`, then uid, together about `maxBytes` at most; at least one unless none is left. */
  async next(
    projectUid: string,
    after: Pick<Episode, 'createdAt' | 'uid'> | undefined,
    maxBytes: number,
  ): Promise<TransferredEpisode[]> {
    const rows = await this.unitOfWork.execute(
      nextEpisodes(after !== undefined),
      [projectUid, maxBytes, ...(after ? [after.createdAt, after.uid] : [])],
      { scope: rowsOf(projectUid) },
    );
    return rows.map((row) => ({ ...toIngested(row), types: typesOf(row) }));
  }

  /**
   * Stores those that the project does not have under their uid or their source uid, deleted ones that are still being
   * purged included.
   * @returns the uids that were stored; undefined when the project is not open
   */
  async insertMissing(
    { tenant, projectUid }: NamedProject,
    episodes: readonly EpisodeToImport[],
    tx: Transaction,
  ): Promise<string[] | undefined> {
    const memories = await this.lockOpen({ tenant, projectUid }, tx);
    if (!memories) return undefined;
    const writer = RequestContext.current()?.author;
    const author = writer && authorText(writer);
    const given = episodes.map((episode) => ({
      ...toInsert(episode),
      conversation: this.conversations.of(episode),
      is_bound: writer?.producer !== undefined || episode.isBound === true,
    }));
    const rows = await this.unitOfWork.execute(
      INSERT_MISSING_EPISODES,
      [
        projectUid,
        JSON.stringify(given),
        memories.short_term,
        memories.long_term,
        author,
        memories.ttl_seconds,
      ],
      { tx, scope: rowsOf(projectUid) },
    );
    return rows.map(({ uid }) => uid);
  }

  /** Those of the episodes that are there. */
  async locate(projectUid: string, uids: readonly string[]): Promise<AddedFacts[]> {
    const rows = await this.unitOfWork.execute(LOCATE_EPISODES, [projectUid, uids], {
      scope: rowsOf(projectUid),
    });
    return rows.map(toAddedFacts);
  }

  /** The locks are those of an add: closing the project waits for what is under way, and what comes later sees it closed. */
  private async lockOpen(
    { tenant, projectUid }: NamedProject,
    tx: Transaction,
  ): Promise<RowOf<typeof LOCK_OPEN_PROJECT.row> | undefined> {
    const [used] = await this.unitOfWork.execute(LOCK_OPEN_PROJECT, [projectUid], {
      tx,
      scope: rowsOf(tenantName(tenant)),
    });
    return used;
  }
}

const typesOf = ({
  is_episodic,
  is_semantic,
}: RowOf<ReturnType<typeof nextEpisodes>['row']>): MemoryType[] => [
  ...(is_episodic ? (['episodic'] as const) : []),
  ...(is_semantic ? (['semantic'] as const) : []),
];

const toInsert = (episode: EpisodeToImport): object => ({
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
  expires_at: episode.expiresAt,
});
