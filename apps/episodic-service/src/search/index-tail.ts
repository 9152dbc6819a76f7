import { AppError } from '@loci/contracts';
import { type Episode } from '../episodes/episode.js';
import { type EpisodeIndexer } from '../indexing/episode-indexer.js';
import { type IndexStateRepository } from '../indexing/index-state.repository.js';

/** The newest waiting episodes that a search indexes itself: about 100 ms of embedding at worst. */
const INDEX_AT_ONCE = 16;

/** Waiting episodes that a search looks at at all. */
const TAIL_LIMIT = 2_000;

export interface Tail {
  /** Episodes that have no vector yet and have to be searched by their words. */
  readonly episodes: readonly Episode[];
  /** False when there are more than a search looks at. */
  readonly isComplete: boolean;
}

/**
 * Read your writes: what was acknowledged is found, although its vector may not be there yet. The search indexes the
 * newest waiting episodes on the spot, so that they take part like any other, and gets the rest for a search by words.
 */
export class IndexTail {
  /** Searches of one project take turns, so that they do not embed the same episodes side by side. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly state: IndexStateRepository,
    private readonly indexer: EpisodeIndexer,
  ) {}

  async cover(projectUid: string): Promise<Tail> {
    const waiting = await this.state.waiting(projectUid, TAIL_LIMIT + 1);
    if (waiting.length === 0) return { episodes: [], isComplete: true };
    return this.inTurn(projectUid, () => this.indexNewest(projectUid));
  }

  private async indexNewest(projectUid: string): Promise<Tail> {
    const waiting = await this.state.waiting(projectUid, TAIL_LIMIT + 1);
    const isComplete = waiting.length <= TAIL_LIMIT;
    try {
      await this.indexer.index(projectUid, waiting.slice(0, INDEX_AT_ONCE), 'query');
      return { episodes: waiting.slice(INDEX_AT_ONCE, TAIL_LIMIT), isComplete };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { episodes: waiting.slice(0, TAIL_LIMIT), isComplete };
    }
  }

  private async inTurn<T>(projectUid: string, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(projectUid) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.turns.set(projectUid, mine);
    try {
      return await mine;
    } finally {
      if (this.turns.get(projectUid) === mine) this.turns.delete(projectUid);
    }
  }
}
