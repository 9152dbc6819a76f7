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
  /**
   * The running and the next turn of each project. Whoever comes while one is running shares the next one: it begins
   * after all of them came, so it sees what each of them must find.
   */
  private readonly turns = new Map<string, { running: Promise<Tail>; next?: Promise<Tail> }>();

  constructor(
    private readonly state: IndexStateRepository,
    private readonly indexer: EpisodeIndexer,
  ) {}

  async cover(projectUid: string): Promise<Tail> {
    if (!(await this.state.hasWaiting(projectUid))) return { episodes: [], isComplete: true };
    const turn = this.turns.get(projectUid);
    if (!turn) return this.begin(projectUid);
    const begin = (): Promise<Tail> => this.begin(projectUid);
    turn.next ??= turn.running.then(begin, begin);
    return turn.next;
  }

  private async begin(projectUid: string): Promise<Tail> {
    const turn = { running: this.indexNewest(projectUid) };
    this.turns.set(projectUid, turn);
    try {
      return await turn.running;
    } finally {
      if (this.turns.get(projectUid) === turn) this.turns.delete(projectUid);
    }
  }

  private async indexNewest(projectUid: string): Promise<Tail> {
    const waiting = await this.state.waiting(projectUid, TAIL_LIMIT + 1);
    const isComplete = waiting.length <= TAIL_LIMIT;
    try {
      const newest = waiting.slice(0, INDEX_AT_ONCE).map(({ uid }) => uid);
      await this.indexer.bringInLine(projectUid, newest, 'query');
      return { episodes: waiting.slice(INDEX_AT_ONCE, TAIL_LIMIT), isComplete };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { episodes: waiting.slice(0, TAIL_LIMIT), isComplete };
    }
  }
}
