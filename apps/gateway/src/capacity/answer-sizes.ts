import { LRUCache } from 'lru-cache';

/** Of organizations and routes together. */
const MAX_REMEMBERED = 10_000;

/** How much of what was seen counts still after a smaller answer. */
const KEPT = 0.8;

/**
 * How much services answer to the requests of an organization on a route: about the largest of the latest, which is all that
 * can be known of an answer before it is there.
 */
export class AnswerSizes {
  private readonly sizes = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** In bytes; 0 for what was never asked. */
  expected(org: string, route: string): number {
    return this.sizes.get(nameOf(org, route)) ?? 0;
  }

  note(org: string, route: string, bytes: number): void {
    const name = nameOf(org, route);
    const before = this.sizes.get(name) ?? 0;
    const expected = Math.max(bytes, before * KEPT);
    if (expected !== before) this.sizes.set(name, expected);
  }
}

const nameOf = (org: string, route: string): string => `${route} ${org}`;
