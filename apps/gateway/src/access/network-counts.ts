import { LRUCache } from 'lru-cache';

/** Networks that are counted at once; those that were quiet for longest are forgotten first. */
const MAX_NETWORKS = 20_000;

/** Counts by the network of the client (`clientNetwork`), each from its first one on until a window of time is over. */
export class NetworkCounts {
  private readonly counts;

  constructor(windowMs: number) {
    this.counts = new LRUCache<string, number>({ max: MAX_NETWORKS, ttl: windowMs });
  }

  of(network: string): number {
    return this.counts.get(network) ?? 0;
  }

  /** @returns how many there are now */
  add(network: string): number {
    const count = this.of(network) + 1;
    this.counts.set(network, count, { noUpdateTTL: true });
    return count;
  }

  /** How long its window goes on. */
  remainingMs(network: string): number {
    return this.counts.getRemainingTTL(network);
  }
}
