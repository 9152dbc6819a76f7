import { OrganizationTurns } from '@loci/platform';

/** A smaller body is read in less than a millisecond. */
const LARGE_BYTES = 32 * 1024;

/**
 * Reading a large body, and seeing what is wrong with it, keeps the event loop for up to 50 ms. So large bodies are read one by
 * one, one of each owner in turn, and after each, none is read for as long as its reading took. Bodies that are refused cost
 * their sender nothing: without the pause, a flood of them would leave no time for anything else.
 */
export class BodyTurns {
  private readonly turns: OrganizationTurns;

  /** @param waitMs how long a body may wait for its turn */
  constructor(waitMs: number) {
    this.turns = new OrganizationTurns({ total: 1, share: 1, waitMs });
  }

  /**
   * @param owner who waits behind the own bodies only
   * @param read at once, and the request is validated right after it, in the same turn of the event loop
   * @throws AppError `overloaded` when it waits for too long; what `read` throws
   */
  async read<Body>(owner: string, bytes: number, read: () => Body): Promise<Body> {
    if (bytes < LARGE_BYTES) return read();
    const giveBack = await this.turns.take(owner);
    const begunMs = performance.now();
    setImmediate(() => setTimeout(giveBack, performance.now() - begunMs));
    return read();
  }
}
