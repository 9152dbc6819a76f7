import { AppError } from '@loci/contracts';
import {
  type EncodedQuery,
  type EncodedText,
  type RankedText,
  rankLexically,
  TermRarity,
} from '@loci/models';
import { setImmediate as others, setTimeout as delay } from 'node:timers/promises';
import { type OwnerIndexVersions } from '../index-versions/index-versions.js';
import { type ContentIndexer } from './content-indexer.js';
import { EncodedItems } from './encoded-items.js';

/** Rows embedded in one step: about 100 ms with the embedded model. */
const STEP = 16;

/** Characters of several rows that are embedded in one step: a long row takes as much time as many short ones. */
const STEP_CHARACTERS = 8_000;

/** A longer row is embedded by the worker alone: it would keep the embedder from the queries of others for seconds. */
const MAX_CHARACTERS = 32_000;

/** Unindexed rows that a search looks at. */
const LIMIT = 2_000;

/** Of their texts together: two thousand rows of two kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How much of what waits is read. */
export interface MostWaiting {
  readonly rows: number;
  /** Of their texts together; the first one is read, however long. */
  readonly bytes: number;
}

export interface Waiting<Item> {
  readonly items: readonly Item[];
  /** How many rows wait, `rows` at most: more than `items` where these have too many bytes. */
  readonly count: number;
}

/** What has no vector yet, to those who search. */
export interface WaitingContent<Item> {
  /** What of an owner has no up to date vector, last changed first. */
  waiting(ownerUid: string, most: MostWaiting): Promise<Waiting<Item>>;

  /** The words of a row, as the lexical leg reads them. */
  textOf(item: Item): string;
}

export interface Unindexed {
  /** What still has no up to date vector and has to be searched by its words, as far as it was read, last changed first. */
  readonly texts: readonly EncodedText[];
  /** How many rows have no up to date vector; above `LIMIT`: at least so many. */
  readonly behind: number;
}

const NOTHING: Unindexed = { texts: [], behind: 0 };

/** One round of indexing for the searches that share it. */
class Round {
  /** By their texts. */
  readonly queries = new Map<string, EncodedQuery>();
  readonly indexed = new Set<string>();
  /** Of what waits; undefined before the round begins. */
  reading: Promise<Unindexed> | undefined;

  /** What is not indexed yet; undefined before the round begins. */
  async left(): Promise<Unindexed | undefined> {
    const read = await this.reading;
    return (
      read && {
        texts: read.texts.filter(({ id }) => !this.indexed.has(id)),
        behind: read.behind - this.indexed.size,
      }
    );
  }
}

/** What waits, with how many characters each has. */
interface ReadWaiting extends Unindexed {
  readonly lengths: ReadonlyMap<string, number>;
}

interface Turn {
  readonly round: Round;
  readonly running: Promise<unknown>;
  next?: Turn;
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
  private readonly turns = new Map<string, Turn>();
  private readonly encoded = new EncodedItems();

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
    query: EncodedQuery,
  ): Promise<Unindexed> {
    if (!hasWaiting) return NOTHING;
    const { round, running } = this.takeTurn(ownerUid, query);
    const budget = new AbortController();
    try {
      await Promise.race([running, delay(this.budgetMs, undefined, { signal: budget.signal })]);
    } finally {
      budget.abort();
    }
    const { texts, behind } = (await round.left()) ?? (await this.readWaiting(ownerUid));
    return { texts, behind };
  }

  private takeTurn(ownerUid: string, query: EncodedQuery): Turn {
    const current = this.turns.get(ownerUid);
    const turn = current ? (current.next ??= this.follow(ownerUid, current)) : this.start(ownerUid);
    turn.round.queries.set(query.text, query);
    return turn;
  }

  private start(ownerUid: string, after: Promise<unknown> = Promise.resolve()): Turn {
    const round = new Round();
    const run = (): Promise<void> => this.index(ownerUid, round);
    const turn: Turn = { round, running: after.then(run, run).finally(() => this.end(ownerUid, turn)) };
    if (!this.turns.has(ownerUid)) this.turns.set(ownerUid, turn);
    return turn;
  }

  private follow(ownerUid: string, { running }: Turn): Turn {
    return this.start(ownerUid, running);
  }

  private end(ownerUid: string, { next }: Turn): void {
    if (next) this.turns.set(ownerUid, next);
    else this.turns.delete(ownerUid);
  }

  private async readWaiting(ownerUid: string): Promise<ReadWaiting> {
    const most = { rows: LIMIT + 1, bytes: MAX_BYTES };
    const { items, count } = await this.content.waiting(ownerUid, most);
    const texts = items.slice(0, LIMIT).map((item) => ({ id: item.uid, text: this.content.textOf(item) }));
    const lengths = new Map(texts.map(({ id, text }) => [id, text.length]));
    return { texts: await this.encoded.of(texts), behind: count, lengths };
  }

  private async index(ownerUid: string, round: Round): Promise<void> {
    const endMs = performance.now() + this.budgetMs;
    const reading = this.readWaiting(ownerUid);
    round.reading = reading;
    const waiting = await reading;
    try {
      const short = waiting.texts.filter(({ id }) => (waiting.lengths.get(id) ?? 0) <= MAX_CHARACTERS);
      for (const step of inSteps(await prioritize(short, [...round.queries.values()]), waiting.lengths)) {
        await this.indexer.bringInLine(ownerUid, step, 'unindexed');
        for (const uid of step) round.indexed.add(uid);
        if (performance.now() >= endMs) break;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/**
 * Half a step of the best matches by words, then the newest, then the other matches, then the rest, newest first. Other
 * requests have their turn between two queries.
 */
async function prioritize(
  texts: readonly EncodedText[],
  queries: readonly EncodedQuery[],
): Promise<string[]> {
  const newestFirst = texts.map(({ id }) => id);
  if (texts.length <= STEP) return newestFirst;
  const rarity = TermRarity.in(texts);
  const found: RankedText[] = [];
  for (const query of queries) {
    found.push(...rankLexically(query, texts, rarity));
    await others();
  }
  const matches = found.sort((a, b) => b.score - a.score).map(({ id }) => id);
  const bestMatches = matches.slice(0, STEP / 2);
  return [...new Set([...bestMatches, ...newestFirst.slice(0, STEP), ...matches, ...newestFirst])];
}

function* inSteps(uids: readonly string[], lengths: ReadonlyMap<string, number>): Generator<string[]> {
  let step: string[] = [];
  let characters = 0;
  for (const uid of uids) {
    const length = lengths.get(uid) ?? 0;
    if (step.length === STEP || (step.length > 0 && characters + length > STEP_CHARACTERS)) {
      yield step;
      [step, characters] = [[], 0];
    }
    step.push(uid);
    characters += length;
  }
  if (step.length > 0) yield step;
}

/** What an answer says in `x-degraded` when rows competed without a vector, or nothing. */
export const indexBehind = ({ behind }: Unindexed, isIndexMissing: boolean): string[] =>
  behind > 0 ? [`index_behind;waiting=${behind}`] : isIndexMissing ? ['index_behind'] : [];
