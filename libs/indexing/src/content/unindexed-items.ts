import { AppError } from '@loci/contracts';
import { type OwnerIndexVersions } from '../index-versions/index-versions.js';
import { type ContentIndexer } from './content-indexer.js';

/** The newest waiting rows that a search indexes itself: about 100 ms of embedding at worst. */
const INDEX_AT_ONCE = 16;

/** Waiting rows that a search looks at at all. */
const TAIL_LIMIT = 2_000;

/** What has no vector yet, to those who search. */
export interface WaitingContent<Item> {
  /** What of an owner has no up to date vector, last changed first. */
  waiting(ownerUid: string, limit: number): Promise<Item[]>;
}

export interface Unindexed<Item> {
  /** What has no up to date vector and has to be searched by its words. */
  readonly items: readonly Item[];
  /** False when there is more than a search looks at. */
  readonly isComplete: boolean;
}

/**
 * Read your writes: what was acknowledged is found, although its vector may not be there yet. The search indexes the
 * newest that waits on the spot, so that it takes part like any other, and gets the rest for a search by words.
 */
export class UnindexedItems<Item extends { readonly uid: string }> {
  /**
   * The running and the next turn of each owner. Whoever comes while one is running shares the next one: it begins
   * after all of them came, so it sees what each of them must find.
   */
  private readonly turns = new Map<
    string,
    { running: Promise<Unindexed<Item>>; next?: Promise<Unindexed<Item>> }
  >();

  constructor(
    private readonly content: WaitingContent<Item>,
    private readonly indexer: Pick<ContentIndexer<unknown>, 'bringInLine'>,
  ) {}

  /** @param owner as it is when the search begins, see `IndexVersions` */
  async cover(
    ownerUid: string,
    { hasWaiting }: Pick<OwnerIndexVersions, 'hasWaiting'>,
  ): Promise<Unindexed<Item>> {
    if (!hasWaiting) return { items: [], isComplete: true };
    const turn = this.turns.get(ownerUid);
    if (!turn) return this.begin(ownerUid);
    const begin = (): Promise<Unindexed<Item>> => this.begin(ownerUid);
    turn.next ??= turn.running.then(begin, begin);
    return turn.next;
  }

  private async begin(ownerUid: string): Promise<Unindexed<Item>> {
    const turn = { running: this.indexNewest(ownerUid) };
    this.turns.set(ownerUid, turn);
    try {
      return await turn.running;
    } finally {
      if (this.turns.get(ownerUid) === turn) this.turns.delete(ownerUid);
    }
  }

  private async indexNewest(ownerUid: string): Promise<Unindexed<Item>> {
    const waiting = await this.content.waiting(ownerUid, TAIL_LIMIT + 1);
    const isComplete = waiting.length <= TAIL_LIMIT;
    try {
      const newest = waiting.slice(0, INDEX_AT_ONCE).map(({ uid }) => uid);
      await this.indexer.bringInLine(ownerUid, newest, 'query');
      return { items: waiting.slice(INDEX_AT_ONCE, TAIL_LIMIT), isComplete };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { items: waiting.slice(0, TAIL_LIMIT), isComplete };
    }
  }
}
