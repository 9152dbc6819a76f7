import { AppError } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { FeatureIndexer } from '../indexing/feature-indexer.js';
import { type IndexedFeature } from '../indexing/feature-points.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';

/** The newest waiting features that a search indexes itself: about 100 ms of embedding at worst. */
const INDEX_AT_ONCE = 16;

/** Waiting features that a search looks at at all. */
const TAIL_LIMIT = 2_000;

export interface Tail {
  /** Features that have no vector yet and have to be searched by their words. */
  readonly features: readonly IndexedFeature[];
  /** False when there are more than a search looks at. */
  readonly isComplete: boolean;
}

/**
 * Read your writes: what was acknowledged is found, although its vector may not be there yet. The search indexes the
 * newest waiting features on the spot, so that they take part like any other, and gets the rest for a search by words.
 */
@Injectable()
export class IndexTail {
  /**
   * The running and the next turn of each set. Whoever comes while one is running shares the next one: it begins
   * after all of them came, so it sees what each of them must find.
   */
  private readonly turns = new Map<string, { running: Promise<Tail>; next?: Promise<Tail> }>();

  constructor(
    private readonly state: IndexStateRepository,
    private readonly indexer: FeatureIndexer,
  ) {}

  async cover(setUid: string): Promise<Tail> {
    if (!(await this.state.setsWaiting([setUid])).has(setUid)) return { features: [], isComplete: true };
    const turn = this.turns.get(setUid);
    if (!turn) return this.begin(setUid);
    const begin = (): Promise<Tail> => this.begin(setUid);
    turn.next ??= turn.running.then(begin, begin);
    return turn.next;
  }

  private async begin(setUid: string): Promise<Tail> {
    const turn = { running: this.indexNewest(setUid) };
    this.turns.set(setUid, turn);
    try {
      return await turn.running;
    } finally {
      if (this.turns.get(setUid) === turn) this.turns.delete(setUid);
    }
  }

  private async indexNewest(setUid: string): Promise<Tail> {
    const waiting = await this.state.waiting(setUid, TAIL_LIMIT + 1);
    const isComplete = waiting.length <= TAIL_LIMIT;
    try {
      await this.indexer.index(setUid, waiting.slice(0, INDEX_AT_ONCE), 'query');
      return { features: waiting.slice(INDEX_AT_ONCE, TAIL_LIMIT), isComplete };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { features: waiting.slice(0, TAIL_LIMIT), isComplete };
    }
  }
}
