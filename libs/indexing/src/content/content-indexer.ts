import { AppError } from '@loci/contracts';
import { type EmbedPriority } from '@loci/models';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { LOCAL_EMBEDDER } from '../index-versions/embedders.js';
import { ignoreMissing, IndexVersions, type OwnerIndexVersions } from '../index-versions/index-versions.js';
import { type OpenIndexVersion } from '../index-versions/open-index-version.js';
import { BatchIndexer, type Failures, inLanes, modelKey, type OwnerRows } from './batch-indexer.js';
import { EmbedderQueues } from './embedder-queues.js';
import { WordChanges } from './word-changes.js';
import { IndexedContent } from './indexed-content.js';

/** Rows of one owner that are purged at a time, however many are named: it bounds a statement, and a request to the index. */
const PURGED_AT_ONCE = 1_000;

/** Uids of rows by the uid of their owner. */
export type UidsOfOwners = ReadonlyMap<string, readonly string[]>;

/** What became of work for many owners. */
export interface Indexed {
  /** Why it failed for some of them, or goes on without being waited for; all others are done. */
  readonly failures: Failures;
  /** How long this process had nothing to do but to wait for embedders that are asked over the network. */
  readonly waitedMs: number;
}

/**
 * Brings the vectors of named rows in line with their table. Safe to repeat, to interrupt at any line and to run side by
 * side with itself: a point's id is its row's, and what is deleted meanwhile loses its point again.
 */
@Injectable()
export class ContentIndexer<Item> {
  private readonly batches: BatchIndexer<Item>;
  private readonly queues: EmbedderQueues;

  constructor(
    private readonly indexVersions: IndexVersions,
    private readonly content: IndexedContent<Item>,
    private readonly words: WordChanges,
  ) {
    this.batches = new BatchIndexer(content);
    this.queues = new EmbedderQueues((rows) => this.batches.bringInLine(rows, 'index'));
  }

  /**
   * Embeds those that have no vector yet, removes the vectors of those that are gone; in the active index version, and in the
   * one that is being built.
   * @param priority of the embedding: `unindexed` when a search waits for it, which then does nothing for the other index version
   */
  async bringInLine(
    ownerUid: string,
    uids: readonly string[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    const ensure = (uid: string): Promise<OwnerIndexVersions> => this.indexVersions.ensure(uid);
    const { failures } = await this.bringOwnersInLine(new Map([[ownerUid, uids]]), priority, ensure);
    if (failures.has(ownerUid)) throw failures.get(ownerUid);
  }

  /**
   * As `bringInLine`, for many owners: those who share an embedder share its calls and the writes of the index, and others do
   * not wait for them, nor for an embedder that is slow, or whose collection is still being made.
   */
  bringAllInLine(work: UidsOfOwners): Promise<Indexed> {
    return this.bringOwnersInLine(work, 'index', (uid) => this.indexVersions.ensureSoon(uid));
  }

  /**
   * Embeds these again although they have vectors, by which searches find them meanwhile. What has no index version is left as it is.
   * @throws AppError `embedder_unavailable`, `resource_not_ready`, `vector_index_unavailable`
   */
  async renew(ownerUid: string, uids: readonly string[]): Promise<void> {
    const { active } = await this.indexVersions.find(ownerUid);
    if (!active) return;
    await this.batches.index(active, await this.content.present(active.indexVersion, uids), 'index');
  }

  /** Removes the vectors of what is deleted, then its tombstones. What is there again, by an import, keeps its vectors. */
  async purge(ownerUid: string, uids: readonly string[]): Promise<void> {
    const { all } = await this.indexVersions.find(ownerUid);
    for (const some of inParts(uids, PURGED_AT_ONCE)) await this.purgeSome(ownerUid, some, all);
    this.words.noteRemoved(ownerUid);
  }

  private async purgeSome(
    ownerUid: string,
    uids: readonly string[],
    indexVersions: readonly OpenIndexVersion[],
  ): Promise<void> {
    for (const { indexVersion, vectors } of indexVersions) {
      const { gone } = await this.content.sort(indexVersion, uids);
      if (gone.length === 0) continue;
      const removed = vectors.remove(ownerUid, gone);
      // what is not searched any more is not rebuilt when it is lost
      await (indexVersion.state === 'retiring' ? removed.catch(ignoreMissing) : removed);
    }
    await this.content.dropTombstones(ownerUid, uids);
  }

  /** Embeds these and notes that the index version has them. */
  index(open: OpenIndexVersion, items: readonly Item[]): Promise<void> {
    return this.batches.index(open, items, 'index');
  }

  private async bringOwnersInLine(
    work: UidsOfOwners,
    priority: EmbedPriority,
    ensure: (ownerUid: string) => Promise<OwnerIndexVersions>,
  ): Promise<Indexed> {
    const failures: Failures = new Map();
    const active: OwnerRows[] = [];
    const building: OwnerRows[] = [];
    await inLanes([...work], async ([ownerUid, uids]) => {
      // what a request indexes comes here once more, from the consumer
      if (priority === 'index') this.words.noteAdded(ownerUid, uids.length);
      try {
        const open = await ensure(ownerUid);
        if (open.active) active.push({ open: open.active, uids });
        if (open.building && priority === 'index') building.push({ open: open.building, uids });
      } catch (error) {
        failures.set(ownerUid, error);
      }
    });
    const inActive = await this.bringInto(active, priority);
    for (const [owner, error] of inActive.failures) failures.set(owner, error);
    const inBuilding = await this.bringInto(building, priority);
    // the builder of an index version comes back to what is missing there
    for (const [owner, error] of inBuilding.failures) {
      if (!(error instanceof AppError)) failures.set(owner, error);
    }
    return { failures, waitedMs: inActive.waitedMs + inBuilding.waitedMs };
  }

  private async bringInto(rows: readonly OwnerRows[], priority: EmbedPriority): Promise<Indexed> {
    const begunMs = performance.now();
    let busyUntilMs = begunMs;
    const done = groupsOf(rows).map(async (group) => {
      if (priority === 'index' && isAskedOverTheNetwork(group)) return this.bringByQueue(group);
      const failures = await this.batches.bringInLine(group, priority);
      busyUntilMs = performance.now();
      return failures;
    });
    const failures: Failures = new Map((await Promise.all(done)).flatMap((some) => [...some]));
    return { failures, waitedMs: performance.now() - busyUntilMs };
  }

  private async bringByQueue(group: readonly OwnerRows[]): Promise<Failures> {
    try {
      return await this.queues.run(group);
    } catch (error) {
      return new Map(group.map(({ open }) => [open.indexVersion.ownerUid, error]));
    }
  }
}

/** What runs in this process is busy at worst. */
const isAskedOverTheNetwork = ([first]: readonly OwnerRows[]): boolean =>
  first !== undefined && first.open.indexVersion.embedder !== LOCAL_EMBEDDER;

function groupsOf(rows: readonly OwnerRows[]): OwnerRows[][] {
  const groups = new Map<string, OwnerRows[]>();
  for (const one of rows) {
    const key = modelKey(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
