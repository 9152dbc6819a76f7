import { toAppError } from '@loci/contracts';
import { isModelPaused } from '@loci/models';

const LONGEST_PAUSE_MS = 5 * 60_000;

/** What a failure of a category means. */
export type FailureVerdict =
  /** Nothing was tried: something that we need is not there. It costs no try. */
  | { readonly kind: 'blocked'; readonly afterMs: number; readonly code: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly afterMs: number; readonly code: string; readonly reason: string };

/** Outages of our own, and models that may not be called: there is nothing wrong with the messages. */
const BLOCKING = new Set([
  'resource_not_ready',
  'model_quota_exceeded',
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

/** What trying again changes nothing of: a model cannot read the message, or what it changes is more than memory has room for. */
const FINAL = new Set(['model_input_too_long', 'body_too_large']);

/** After so many failures in a row a message is given up. */
export function maxFailures(code: string): number {
  if (code === OUTAGE) return MAX_OUTAGES;
  return FINAL.has(code) ? 1 : MAX_FAILURES;
}

/** Whether a failure may be the fault of the messages that were read. */
export function isAboutMessages(failure: unknown): boolean {
  const { code } = toAppError(failure);
  return code !== OUTAGE && !BLOCKING.has(code);
}

/** The two halves of a batch, which are tried apart; one message alone stays as it is. */
export function halvesOf<T>(batch: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((half) => half.length > 0);
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
  if (BLOCKING.has(code) || isModelPaused(failure))
    return { kind: 'blocked', afterMs: Math.max(askedMs, BLOCKED_PAUSE_MS), code, reason };
  const ceiling = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(failures - 1, 16));
  return {
    kind: 'failed',
    afterMs: Math.max(askedMs, Math.round(ceiling * (0.5 + random() / 2))),
    code,
    reason,
  };
}
