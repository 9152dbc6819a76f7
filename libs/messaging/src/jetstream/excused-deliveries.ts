const MAX_ENTRIES = 10_000;

/**
 * Remembers how many deliveries of a message ended in an outage, so that a message is not given up for what befell the
 * database. The server only counts deliveries. What another process saw is not known here: then a message is given up
 * earlier, into the dead letters, never later.
 */
export class ExcusedDeliveries {
  private readonly counts = new Map<string, number>();

  add(id: string): void {
    const count = this.of(id) + 1;
    this.counts.delete(id);
    this.counts.set(id, count);
    if (this.counts.size > MAX_ENTRIES) this.forgetOldest();
  }

  of(id: string): number {
    return this.counts.get(id) ?? 0;
  }

  forget(id: string): void {
    this.counts.delete(id);
  }

  private forgetOldest(): void {
    for (const oldest of this.counts.keys()) {
      this.counts.delete(oldest);
      return;
    }
  }
}
