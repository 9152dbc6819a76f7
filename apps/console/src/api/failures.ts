import { LociError } from '@loci/client';

const statusOf = (error: unknown): number | undefined =>
  error instanceof LociError ? error.status : undefined;

/** Whether no answer came, as opposed to a refusal. */
export const isOffline = (error: unknown): boolean => statusOf(error) === 0;

/** What stands in front of Loci says that it does not answer, or Loci says so of what it needs. */
const UNANSWERED: ReadonlySet<number | undefined> = new Set([0, 502, 503, 504]);

/** Whether there was no answer of Loci, which waiting mends. */
export const isUnanswered = (error: unknown): boolean => UNANSWERED.has(statusOf(error));

/** Whether asking again could help. */
export const isPassing = (error: unknown): boolean => isOffline(error) || (statusOf(error) ?? 0) >= 500;

const TOO_MANY = 429;

/** Whether Loci refused what was asked, and would again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof LociError && !isPassing(error) && error.status !== TOO_MANY;

/** Whether it failed for one of these reasons. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof LociError && codes.includes(error.code);
