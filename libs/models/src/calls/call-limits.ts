import { type ResourceKind } from '@loci/contracts';
import { MAX_PROBE_REPLY_BYTES } from '../egress/reply-bounds.js';

export interface CallLimits {
  /** For one attempt, connecting included. */
  readonly attemptTimeoutMs: number;
  /** For all attempts of a call and the pauses between them. */
  readonly totalTimeoutMs: number;
  readonly maxAttempts: number;
  /** Pause before the second attempt; doubled for each further one, with full jitter above the half of it. */
  readonly firstPauseMs: number;
  /** Calls that run at the same time; queries and background work each have as many. */
  readonly concurrency: number;
  /** Calls that wait for their turn; more are refused. */
  readonly maxWaiting: number;
  /** Attempts in vain, one after the other, that open the circuit. */
  readonly circuitThreshold: number;
  /** How long an open circuit stays open before one call is let through. */
  readonly circuitPauseMs: number;
  /** Bytes of one reply, decompressed; it is given up at the first that is too many. */
  readonly maxReplyBytes: number;
}

/** Vectors of a full batch in decimal digits take a third of it. */
export const DEFAULT_MAX_REPLY_BYTES = 32 * 1024 * 1024;

const COMMON = {
  maxAttempts: 4,
  firstPauseMs: 500,
  concurrency: 8,
  maxWaiting: 1000,
  circuitThreshold: 6,
  circuitPauseMs: 30_000,
  maxReplyBytes: DEFAULT_MAX_REPLY_BYTES,
} as const;

export const DEFAULT_LIMITS: Readonly<Record<ResourceKind, CallLimits>> = {
  language_model: { ...COMMON, attemptTimeoutMs: 120_000, totalTimeoutMs: 300_000 },
  embedder: { ...COMMON, attemptTimeoutMs: 30_000, totalTimeoutMs: 120_000 },
  reranker: { ...COMMON, attemptTimeoutMs: 10_000, totalTimeoutMs: 20_000, maxAttempts: 2 },
};

/** For a probe: one quick and small answer, whatever it is. Many run at once, in one process. */
export const probeLimits = ({
  maxReplyBytes = DEFAULT_MAX_REPLY_BYTES,
}: Partial<CallLimits> = {}): Partial<CallLimits> => ({
  attemptTimeoutMs: 20_000,
  totalTimeoutMs: 20_000,
  maxAttempts: 1,
  maxReplyBytes: Math.min(maxReplyBytes, MAX_PROBE_REPLY_BYTES),
});
