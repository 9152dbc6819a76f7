/** For every call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** For calls that change something. */
export interface WriteOptions extends CallOptions {
  /** Makes the call repeatable by the application itself, for 24 hours; default: a new one for each call. */
  readonly idempotencyKey?: string;
}

/** What the generated client takes. */
export const sentWith = ({ signal, idempotencyKey }: WriteOptions) => ({
  ...(signal && { signal }),
  ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
});
