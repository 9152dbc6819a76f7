/**
 * - `unreachable`, `timeout`, `overloaded`, `broken`: another attempt may succeed;
 * - `unauthorized`, `unknown_model`, `misconfigured`, `reply_too_large`: a person has to change something;
 * - `rejected`, `input_too_long`, `unusable_reply`, `cut_off`: this request fails, others may succeed;
 * - `circuit_open`, `paused`: it was not even tried.
 */
export type FailureKind =
  | 'unreachable'
  | 'timeout'
  | 'overloaded'
  | 'broken'
  | 'unauthorized'
  | 'unknown_model'
  | 'misconfigured'
  | 'rejected'
  | 'input_too_long'
  | 'unusable_reply'
  | 'cut_off'
  | 'reply_too_large'
  | 'circuit_open'
  | 'paused';

export interface FailureDetails {
  readonly status?: number | undefined;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The provider's own words. They may repeat the key or the input: never for logs or clients as they are. */
  readonly providerText?: string | undefined;
}

const TRANSIENT: ReadonlySet<FailureKind> = new Set(['unreachable', 'timeout', 'overloaded', 'broken']);
const IN_VAIN: ReadonlySet<FailureKind> = new Set([
  'unreachable',
  'timeout',
  'broken',
  'unauthorized',
  'unknown_model',
  'misconfigured',
  'reply_too_large',
]);

/**
 * What went wrong with one call, in our words: the message is safe for logs and clients. The error of the SDK is
 * not kept as its cause, since it may contain the key or the input.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** A private field, so that no log writes it. */
  readonly #providerText: string | undefined;

  constructor(
    readonly reason: FailureKind,
    message: string,
    { status, retryAfterMs, providerText }: FailureDetails = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.#providerText = providerText;
  }

  get providerText(): string | undefined {
    return this.#providerText;
  }

  /** Whether the same call may succeed a little later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.reason);
  }

  /** Whether the provider takes no requests for now, by a refusal or by what it says of when to come back. */
  get asksForPause(): boolean {
    return this.reason === 'overloaded' || (this.reason === 'broken' && this.retryAfterMs !== undefined);
  }

  /** Whether it says something about the provider and not only about this request. */
  get isInVain(): boolean {
    return IN_VAIN.has(this.reason);
  }
}
