import { OrganizationTurns } from '@loci/platform';

/** A smaller body is read in less than a millisecond. */
const LARGE_BYTES = 32 * 1024;

/** How long small lines are read in one turn of the event loop, those of all bodies together. */
const SLICE_MS = 2;

/** A line is waited for longer than a body: what came before it is stored, and the rest of its body waits with its client. */
const LINE_WAIT_MS = 30_000;

/**
 * Reading a large body, and seeing what is wrong with it, keeps the event loop for up to 50 ms. So large bodies are read one by
 * one, one of each owner in turn, and after each, none is read for as long as its reading took. Bodies that are refused cost
 * their sender nothing: without the pause, a flood of them would leave no time for anything else.
 */
export class BodyTurns {
  private readonly turns: OrganizationTurns;
  /** When the first line of this turn of the event loop was read. */
  private sliceBegunMs: number | undefined;

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
    return bytes < LARGE_BYTES ? read() : this.inTurn(owner, read);
  }

  /**
   * Reads one of the many lines of a body. Small ones that arrived together would be read in one turn of the event loop, so what
   * comes behind its first few milliseconds waits for its turn like a large body.
   * @param read as in `read`
   * @throws as `read`
   */
  async readLine<Line>(owner: string, bytes: number, read: () => Line): Promise<Line> {
    return bytes < LARGE_BYTES && this.sliceMs() < SLICE_MS ? read() : this.inTurn(owner, read, LINE_WAIT_MS);
  }

  /** The pause is as long as whatever is read behind it in the same turn of the event loop. */
  private async inTurn<Body>(owner: string, read: () => Body, waitMs?: number): Promise<Body> {
    const giveBack = await this.turns.take(owner, 1, waitMs);
    const begunMs = performance.now();
    setImmediate(() => setTimeout(giveBack, performance.now() - begunMs));
    this.sliceMs();
    return read();
  }

  /** Since the first line was read in this turn of the event loop, which may be this one. */
  private sliceMs(): number {
    const nowMs = performance.now();
    if (this.sliceBegunMs === undefined) {
      this.sliceBegunMs = nowMs;
      setImmediate(() => (this.sliceBegunMs = undefined));
    }
    return nowMs - this.sliceBegunMs;
  }
}
