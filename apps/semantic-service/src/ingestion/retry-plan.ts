import { toAppError } from '@loci/contracts';

const LONGEST_PAUSE_MS = 5 * 60_000;

/** What a failure of a category means. */
export type FailureVerdict =
  /** Nothing was tried: something that we need is not there. It costs no try. */
  | { readonly kind: 'blocked'; readonly afterMs: number; readonly code: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly afterMs: number; readonly code: string; readonly reason: string };

/** Outages of our own, and models that nobody may call: there is nothing wrong with the messages. */
const BLOCKING = new Set([
  'resource_not_ready',
  'semantic_memory_disabled',
  'registry_unavailable',
  'service_unavailable',
  'database_unavailable',
  'vector_index_unavailable',
  'embedder_unavailable',
  'deadline_exceeded',
]);

/** Messages of one call, whatever they weigh. */
export const MAX_BATCH = 50;

/** An outage of the provider says nothing about the messages: it is waited out for about an hour. */
const OUTAGE = 'language_model_unavailable';
const MAX_OUTAGES = 20;
const MAX_FAILURES = 6;

/** After so many failures in a row a batch is given up. */
export const maxFailures = (code: string): number => (code === OUTAGE ? MAX_OUTAGES : MAX_FAILURES);

/** Messages of the next batch: fewer after each failure, until a message that spoils its batch is alone in it. */
export function batchLimitAfter(
  failed: { readonly failures: number; readonly code: string } | undefined,
): number {
  if (!failed || failed.code === OUTAGE) return MAX_BATCH;
  return Math.max(1, MAX_BATCH >> failed.failures);
}

const BLOCKED_PAUSE_MS = 10_000;

/**
 * @param failures how often it failed, this time included
 * @param firstPauseMs after the first failure; doubled with each further one
 * @param random from 0 up to 1
 */
export function judgeFailure(
  failure: unknown,
  { failures, firstPauseMs }: { readonly failures: number; readonly firstPauseMs: number },
  random = Math.random,
): FailureVerdict {
  const { code, message: reason, details } = toAppError(failure);
  const askedMs = (details.retryAfterSeconds ?? 0) * 1000;
  if (BLOCKING.has(code))
    return { kind: 'blocked', afterMs: Math.max(askedMs, BLOCKED_PAUSE_MS), code, reason };
  const ceiling = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(failures - 1, 16));
  return {
    kind: 'failed',
    afterMs: Math.max(askedMs, Math.round(ceiling * (0.5 + random() / 2))),
    code,
    reason,
  };
}
