import { AppError } from '@loci/contracts';
import { rankLexically } from '@loci/models';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnerIndexVersions } from '../index-versions/index-versions.js';
import { type ContentIndexer } from './content-indexer.js';

/** Rows embedded in one step: about 100 ms with the embedded model. */
const STEP = 16;

/** Unindexed rows that a search looks at. */
const LIMIT = 2_000;

/** What has no vector yet, to those who search. */
export interface WaitingContent<Item> {
  /** What of an owner has no up to date vector, last changed first. */
  waiting(ownerUid: string, limit: number): Promise<Item[]>;

  /** The words of a row, as the lexical leg reads them. */
  textOf(item: Item): string;
}

export interface Unindexed<Item> {
  /** What still has no up to date vector and has to be searched by its words. */
  readonly items: readonly Item[];
  /** How many rows have no up to date vector; above `LIMIT`: at least so many. */
  readonly behind: number;
}

interface Turn<Item> {
  readonly running: Promise<Unindexed<Item>>;
  next?: { readonly queries: string[]; readonly result: Promise<Unindexed<Item>> };
}

/**
 * Read your writes: a search finds what was acknowledged, although its vector may not be there yet. The search indexes
 * unindexed rows itself, so that they compete like any other: first those whose words match the query best and the newest,
 * then the rest. It stops at its time budget; what is left competes by its words, and is counted.
 */
export class UnindexedItems<Item extends { readonly uid: string }> {
  /**
   * The running and the next turn of each owner. A search that comes while a turn is running shares the next one: that
   * begins after all of them came, so it sees what each of them must find.
   */
  private readonly turns = new Map<string, Turn<Item>>();

  /** @param budgetMs how long a search waits for this at most */
  constructor(
    private readonly content: WaitingContent<Item>,
    private readonly indexer: Pick<ContentIndexer<unknown>, 'bringInLine'>,
    private readonly budgetMs: number,
  ) {}

  /** @param owner as it is when the search begins, see `IndexVersions` */
  async cover(
    ownerUid: string,
    { hasWaiting }: Pick<OwnerIndexVersions, 'hasWaiting'>,
    query: string,
  ): Promise<Unindexed<Item>> {
    if (!hasWaiting) return { items: [], behind: 0 };
    const budget = new AbortController();
    try {
      const covered = await Promise.race([
        this.takeTurn(ownerUid, query),
        delay(this.budgetMs, undefined, { signal: budget.signal }),
      ]);
      return covered ?? rest(await this.content.waiting(ownerUid, LIMIT + 1), new Set());
    } finally {
      budget.abort();
    }
  }

  private takeTurn(ownerUid: string, query: string): Promise<Unindexed<Item>> {
    const turn = this.turns.get(ownerUid);
    if (!turn) return this.begin(ownerUid, [query]);
    if (!turn.next) {
      const queries: string[] = [];
      const begin = (): Promise<Unindexed<Item>> => this.begin(ownerUid, queries);
      turn.next = { queries, result: turn.running.then(begin, begin) };
    }
    turn.next.queries.push(query);
    return turn.next.result;
  }

  private async begin(ownerUid: string, queries: readonly string[]): Promise<Unindexed<Item>> {
    const turn: Turn<Item> = { running: this.index(ownerUid, queries) };
    this.turns.set(ownerUid, turn);
    try {
      return await turn.running;
    } finally {
      if (this.turns.get(ownerUid) === turn) this.turns.delete(ownerUid);
    }
  }

  private async index(ownerUid: string, queries: readonly string[]): Promise<Unindexed<Item>> {
    const endMs = performance.now() + this.budgetMs;
    const waiting = await this.content.waiting(ownerUid, LIMIT + 1);
    const uids = this.prioritize(waiting, queries);
    const indexed = new Set<string>();
    try {
      for (let start = 0; start < uids.length; start += STEP) {
        const step = uids.slice(start, start + STEP);
        await this.indexer.bringInLine(ownerUid, step, 'query');
        for (const uid of step) indexed.add(uid);
        if (performance.now() >= endMs) break;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return rest(waiting, indexed);
  }

  /** Half a step of the best matches by words, then the newest, then the other matches, then the rest, newest first. */
  private prioritize(waiting: readonly Item[], queries: readonly string[]): string[] {
    const all = waiting.slice(0, LIMIT);
    const newestFirst = all.map(({ uid }) => uid);
    if (all.length <= STEP) return newestFirst;
    const texts = all.map((item) => ({ id: item.uid, text: this.content.textOf(item) }));
    const matches = queries
      .flatMap((query) => rankLexically(query, texts))
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
    const bestMatches = matches.slice(0, STEP / 2);
    return [...new Set([...bestMatches, ...newestFirst.slice(0, STEP), ...matches, ...newestFirst])];
  }
}

const rest = <Item extends { readonly uid: string }>(
  waiting: readonly Item[],
  indexed: ReadonlySet<string>,
): Unindexed<Item> => ({
  items: waiting.slice(0, LIMIT).filter(({ uid }) => !indexed.has(uid)),
  behind: waiting.length - indexed.size,
});

/** What an answer says in `x-degraded` when rows competed without a vector, or nothing. */
export const indexBehind = ({ behind }: Unindexed<unknown>, isIndexMissing: boolean): string[] =>
  behind > 0 ? [`index_behind;waiting=${behind}`] : isIndexMissing ? ['index_behind'] : [];
