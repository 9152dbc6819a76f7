/** Lets work that may end the process run with no other beside it, so that only this work is found unfinished. */
export class Isolation {
  /** Settles when the last of the work that runs alone, or waits to, is done; absent when there is none. */
  private alone: Promise<void> | undefined;
  private readonly beside = new Set<Promise<void>>();

  /** Waits until nothing runs alone or waits to. */
  async open(): Promise<void> {
    while (this.alone) await this.alone;
  }

  async runBeside(work: () => Promise<void>): Promise<void> {
    await this.open();
    const running = work();
    this.beside.add(running);
    await running.finally(() => this.beside.delete(running));
  }

  async runAlone(work: () => Promise<void>): Promise<void> {
    const running = this.whenOthersEnded(this.alone, work);
    const ended = running
      .catch(() => undefined)
      .then(() => {
        if (this.alone === ended) this.alone = undefined;
      });
    this.alone = ended;
    await running;
  }

  private async whenOthersEnded(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    await Promise.allSettled(this.beside);
    await work();
  }
}
