import {
  BY_CURSOR,
  episodesAdded,
  type Filter,
  MAX_ANSWER_BYTES,
  type RowPosition,
  type Tenant,
} from '@loci/contracts';
import {
  firstRows,
  outboxHeaders,
  ROWS_OF_ALL,
  rowsOf,
  rowsWithin,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { inChildSpan, SpanKind } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { MemorySettings } from '../memory/memory-settings.js';
import {
  type DeletedEpisodes,
  type DescribedEpisode,
  type Episode,
  type NewEpisode,
  type NewEpisodes,
} from './episode.js';
import { type Add, AddBatcher, type AddOutcome, type StoreAdds } from './add-batcher.js';
import { ADD_EPISODES } from './add-episodes.sql.js';
import { Conversations } from './conversations.js';
import { firstMatchingUids } from './first-matching-uids.sql.js';
import { DESCRIBE_EPISODES } from './describe-episodes.sql.js';
import { EpisodeCounts } from './episode-counts.js';
import { ERASE_EPISODES } from './erase-episodes.sql.js';
import { findMatchingEpisodes } from './find-matching-episodes.sql.js';
import { listEpisodes } from './list-episodes.sql.js';
import { listEpisodesFrom } from './list-episodes-from.sql.js';
import { matchingUids } from './matching-uids.sql.js';
import { MAX_WINDOW_EPISODES, newestEpisodes } from './newest-episodes.sql.js';
import { PRECEDING_EPISODES } from './preceding-episodes.sql.js';
import { REMOVE_EPISODES } from './remove-episodes.sql.js';
import { authorText, matching, toDescribed, toEpisode } from './episode-rows.js';

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

/** In the trace of each add: how long it took until the statement that it shares with others was done. */
const SHARED_STATEMENT = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

/** Where episodes are kept: the truth. Every method is about one project, named by its uid, but for the sweeps. */
@Injectable()
export class EpisodesRepository {
  private readonly batcher = new AddBatcher((...asked) => this.store(...asked));

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly memory: MemorySettings,
    private readonly conversations: Conversations,
    private readonly counts: EpisodeCounts,
  ) {}

  /**
   * Stores the episodes and the event that announces them, all or nothing.
   * @returns false when the tenant has no open project: nothing is stored
   */
  async add(tenant: Tenant, added: NewEpisodes, tx?: Transaction): Promise<boolean> {
    const add = { tenant, added, headers: outboxHeaders() };
    if (!tx) return inChildSpan('postgresql add_episodes', SHARED_STATEMENT, () => this.batcher.add(add));
    const [outcome] = await this.store([add], { waits: true, tx });
    return outcome === 'stored';
  }

  /**
   * By `createdAt`, then uid; `total` counts the matches of all pages, and is absent where that takes too long.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  async list(
    projectUid: string,
    filter: Filter | undefined,
    { offset, limit }: Page,
  ): Promise<{ episodes: Episode[]; total: number | undefined }> {
    const predicate = matching(filter, 2);
    const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit, orElse: BY_CURSOR };
    const total = await this.total(projectUid, filter);
    const rows = await this.unitOfWork.execute(
      listEpisodes(predicate),
      [projectUid, ...predicate.parameters, limit, offset, MAX_ANSWER_BYTES],
      { scope: rowsOf(projectUid) },
    );
    return { episodes: rowsWithin(rows, asked).map(toEpisode), total };
  }

  /** As `list`, as many as fit into an answer. `next` is absent at the end, `total` behind the beginning. */
  async listFrom(
    projectUid: string,
    filter: Filter | undefined,
    { after, limit }: { readonly after: RowPosition | undefined; readonly limit: number },
  ): Promise<{ episodes: Episode[]; total: number | undefined; next: RowPosition | undefined }> {
    const predicate = matching(filter, 2);
    const total = after ? undefined : await this.total(projectUid, filter);
    const position = after ? [after.createdAt, after.uid] : [];
    const found = await this.unitOfWork.execute(
      listEpisodesFrom(predicate, after !== undefined),
      [projectUid, ...predicate.parameters, limit + 1, MAX_ANSWER_BYTES, ...position],
      { scope: rowsOf(projectUid) },
    );
    const { rows, hasMore } = firstRows(found, { limit, maxBytes: MAX_ANSWER_BYTES });
    const episodes = rows.map(toEpisode);
    const last = hasMore ? episodes.at(-1) : undefined;
    return { episodes, total, next: last && { createdAt: last.createdAt, uid: last.uid } };
  }

  /** The uids of some that match. */
  async firstMatching(projectUid: string, filter: Filter, limit: number): Promise<string[]> {
    const predicate = matching(filter, 3);
    const values = [projectUid, limit, ...predicate.parameters];
    const scope = rowsOf(projectUid);
    const rows = await this.unitOfWork.execute(firstMatchingUids(predicate), values, { scope });
    return rows.map(({ uid }) => uid);
  }

  /**
   * The episodes among these that exist and match, unsorted.
   * @param maxBytes of all of them; default: as many as fit into an answer
   * @throws AppError `body_too_large` when they have more, before they are read
   */
  async findMatching(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<Episode[]> {
    const predicate = matching(filter, 4);
    const rows = await this.unitOfWork.execute(
      findMatchingEpisodes(predicate),
      [projectUid, uids, maxBytes, ...predicate.parameters],
      { scope: rowsOf(projectUid) },
    );
    return rowsWithin(rows, { maxBytes, field: 'top_k', count: uids.length }).map(toEpisode);
  }

  /** The uids of those among these episodes that exist and match, unsorted. */
  async matchingUids(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
  ): Promise<string[]> {
    const predicate = matching(filter, 3);
    const values = [projectUid, uids, ...predicate.parameters];
    const scope = rowsOf(projectUid);
    const rows = await this.unitOfWork.execute(matchingUids(predicate), values, { scope });
    return rows.map(({ uid }) => uid);
  }

  /**
   * Those of the episodes that exist, unsorted.
   * @param withContent false leaves their texts empty
   * @throws AppError `body_too_large` when they are too large for an answer, before they are read
   */
  async describe(
    projectUid: string,
    uids: readonly string[],
    withContent: boolean,
  ): Promise<DescribedEpisode[]> {
    const values = [projectUid, uids, withContent, MAX_ANSWER_BYTES];
    const rows = await this.unitOfWork.execute(DESCRIBE_EPISODES, values, { scope: rowsOf(projectUid) });
    const asked = { maxBytes: MAX_ANSWER_BYTES, remedy: 'name fewer messages at once' };
    return rowsWithin(rows, asked).map(toDescribed);
  }

  /** What was said last in each conversation of these episodes before the first of them, oldest first. */
  async preceding(
    projectUid: string,
    uids: readonly string[],
    { limit, maxChars }: { readonly limit: number; readonly maxChars: number },
  ): Promise<DescribedEpisode[]> {
    const values = [projectUid, uids, limit, maxChars];
    const rows = await this.unitOfWork.execute(PRECEDING_EPISODES, values, { scope: rowsOf(projectUid) });
    return rows.map((row) => toDescribed({ ...row, ingested: null }));
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
    const predicate = matching(filter, 5);
    const considered = filter ? MAX_WINDOW_EPISODES : Math.min(limit, MAX_WINDOW_EPISODES);
    const rows = await this.unitOfWork.execute(
      newestEpisodes(predicate),
      [projectUid, capacityChars, limit, considered, ...predicate.parameters],
      { scope: rowsOf(projectUid) },
    );
    return rows.map(toEpisode).reverse();
  }

  /** Turns episodes into tombstones. @param producer whose alone; absent = of any @returns those that were there */
  async remove(
    projectUid: string,
    uids: readonly string[],
    tx: Transaction,
    producer?: string,
  ): Promise<DeletedEpisodes> {
    const [removed] = await this.unitOfWork.execute(REMOVE_EPISODES, [projectUid, uids, producer], {
      tx,
      scope: rowsOf(projectUid),
    });
    return { uids: removed?.uids ?? [], addedUntil: removed?.added_until ?? undefined };
  }

  /** Erases up to `limit` episodes of a closed project. @returns how many were erased; 0 when none is left */
  async erase(projectUid: string, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.execute(ERASE_EPISODES, [projectUid, limit], {
      scope: rowsOf(projectUid),
    });
    return row?.erased ?? 0;
  }

  private async total(projectUid: string, filter: Filter | undefined): Promise<number | undefined> {
    const { count, isAtLeast } = await this.counts.matching(projectUid, filter);
    return isAtLeast ? undefined : count;
  }

  private async store(
    adds: readonly Add[],
    { waits, tx }: Parameters<StoreAdds>[1] & { readonly tx?: Transaction },
  ): Promise<AddOutcome[]> {
    const { isShortTermEnabled, isLongTermEnabled } = this.memory;
    const rows = JSON.stringify(adds.map((add, position) => toAddRow(add, position, this.conversations)));
    const parameters = [rows, episodesAdded.subject, isShortTermEnabled, isLongTermEnabled, waits];
    // the statement is for any number of tenants, and takes each of its rows from the tenant that it names
    const named = await this.unitOfWork.execute(ADD_EPISODES, parameters, { tx, scope: ROWS_OF_ALL });
    const outcomes = new Map(named.map(({ position, outcome }) => [position, outcome]));
    return adds.map((_, position) => outcomes.get(position) ?? 'closed');
  }
}

const toAddRow = (
  { tenant, added: { types, episodes, author }, headers }: Add,
  position: number,
  conversations: Conversations,
): object => ({
  position,
  org_id: tenant.orgId,
  project_id: tenant.projectId,
  author: author && authorText(author),
  is_bound: author?.producer !== undefined,
  types,
  episodes: episodes.map((episode) => ({ ...toInsert(episode), conversation: conversations.of(episode) })),
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
  ttl_seconds: episode.ttlSeconds,
});
