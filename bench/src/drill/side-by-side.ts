/** Work that goes on side by side. What fails is kept until the end: by itself it would end the program. */
export class SideBySide {
  private readonly works: Promise<void>[] = [];
  private readonly failures: unknown[] = [];

  add(work: Promise<void>): void {
    this.works.push(work.catch((failure: unknown) => void this.failures.push(failure)));
  }

  /**
   * Waits for all of it, also for what goes on after something has failed.
   * @throws Error that says everything that failed
   */
  async end(): Promise<void> {
    await Promise.all(this.works);
    if (this.failures.length === 0) return;
    const told = this.failures.map((failure) =>
      failure instanceof Error ? failure.message : String(failure),
    );
    throw new Error(told.join('; '), { cause: this.failures[0] });
  }
}
