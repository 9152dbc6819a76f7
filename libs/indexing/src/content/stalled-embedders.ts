import { embedderUnavailable } from '../index-versions/patience.js';

/** So long a call of one embedder may keep the rows of others waiting. */
const STALLED_AFTER_MS = 5_000;

/** Makes a call of the embedder. */
export type Watched = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/**
 * Keeps an embedder that hangs from keeping the work of others waiting. Work that waits for it goes on in the background, one
 * at a time, and its caller does not wait for it again until the embedder has answered in time once.
 */
export class StalledEmbedders {
  /** How much work goes on in the background, by the embedder that it waits for. */
  private readonly inBackground = new Map<string, number>();

  /**
   * @param work makes its calls of the embedder by what it is given
   * @throws AppError `embedder_unavailable` when the embedder takes too long; the work goes on, unless other work waits already
   */
  async run<Result>(embedder: string, work: (watched: Watched) => Promise<Result>): Promise<Result> {
    const before = this.inBackground.get(embedder);
    if (before !== undefined && before > 0) throw takesTooLong(embedder);
    let giveUp = (): void => undefined;
    const stalled = new Promise<typeof STALLED>((resolve) => {
      giveUp = () => resolve(STALLED);
    });
    const done = work((call) => this.watch(embedder, call, giveUp));
    if (before !== undefined) giveUp();
    const result = await Promise.race([done, stalled]);
    if (result !== STALLED) return result;
    this.goOn(embedder, done);
    throw takesTooLong(embedder);
  }

  private async watch<Answer>(
    embedder: string,
    call: () => Promise<Answer>,
    giveUp: () => void,
  ): Promise<Answer> {
    const askedAt = performance.now();
    const timer = setTimeout(giveUp, STALLED_AFTER_MS);
    try {
      const answer = await call();
      if (performance.now() - askedAt < STALLED_AFTER_MS) this.inBackground.delete(embedder);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What fails there is found again by the sweeper. */
  private goOn(embedder: string, work: Promise<unknown>): void {
    this.inBackground.set(embedder, (this.inBackground.get(embedder) ?? 0) + 1);
    const end = (): void => {
      const count = this.inBackground.get(embedder);
      if (count !== undefined) this.inBackground.set(embedder, count - 1);
    };
    work.then(end, end);
  }
}

const STALLED = Symbol('stalled');

const takesTooLong = (embedder: string): Error => embedderUnavailable(embedder, 'takes too long');
