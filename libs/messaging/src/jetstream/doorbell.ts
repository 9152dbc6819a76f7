/** Lets loops sleep until something changes, or for a while. */
export class Doorbell {
  private readonly sleepers = new Set<() => void>();

  ring(): void {
    for (const wake of [...this.sleepers]) wake();
  }

  /** @param maxMs how long at most; until the bell rings when absent */
  wait(maxMs?: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const wake = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.add(wake);
      if (maxMs !== undefined) timer = setTimeout(wake, maxMs);
    });
  }
}
