import { type Lease } from './lease.js';

/**
 * The operations of one request, one after the other, each in a turn of its own: a batch has no more at once than a
 * request with a single operation, and others come in between. The request keeps its turn for them, also where its answer
 * has begun.
 */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();
  private hasRun = false;

  constructor(private readonly lease: Lease | undefined) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    const letGo = this.lease?.hold();
    const done = this.last
      .then(async () => {
        const { hasRun, lease } = this;
        this.hasRun = true;
        await (hasRun ? lease?.goOn() : lease?.resume());
        return work();
      })
      .finally(letGo);
    this.last = done.catch(() => undefined);
    return done;
  }
}
