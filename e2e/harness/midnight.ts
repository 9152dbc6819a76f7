import { eventually } from '@loci/testing';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than a test takes that counts what is used in a day. */
const NEAR_MS = 120_000;

/** What is used in a day is counted anew from midnight on, UTC: shortly before it, waits until it is over. */
export const awayFromMidnight = (): Promise<unknown> =>
  eventually(() => DAY_MS - (Date.now() % DAY_MS) > NEAR_MS, {
    what: 'midnight is over',
    timeoutMs: 2 * NEAR_MS,
  });
