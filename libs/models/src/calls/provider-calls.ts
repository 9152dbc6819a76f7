import { type AppError, type ResourceKind } from '@loci/contracts';
import { inChildSpan, type Metrics, RequestContext, SpanKind } from '@loci/platform';
import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { type ModelUsage } from '../language-model.js';
import { orAborted } from './aborting.js';
import { type CallLimits } from './call-limits.js';
import { CallMetrics } from './call-metrics.js';
import { Circuit } from './circuit.js';
import { causesOf, textOf } from './error-like.js';
import { failureToAppError } from './failure-to-app-error.js';
import { type ModelPause } from './model-pauses.js';
import { waitForPause } from './pause-wait.js';
import { ProviderFailure } from './provider-failure.js';
import { type RetryPolicy, withRetries } from './retries.js';

const OUT_OF_TIME: ReadonlySet<string> = new Set(['TimeoutError', 'AbortError']);

export interface ProviderCallsOptions {
  readonly resource: { readonly kind: ResourceKind; readonly name: string };
  readonly limits: CallLimits;
  readonly maxRetryIntervalSeconds: number;
  readonly metrics: Metrics;
  /** Of the model: all its calls wait for it. */
  readonly pause: ModelPause;
  readonly onCircuitOpen: (reason: string) => void;
  /** What an error of the provider's SDK means. */
  readonly toFailure: (error: unknown) => ProviderFailure;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before each attempt; what it throws ends the call, and is thrown as it is. */
  readonly beforeRequest?: (() => void) | undefined;
  /** A person waits: it does not queue behind background work. */
  readonly isUrgent?: boolean | undefined;
  /** How long a pause that the provider asks for may be waited for within the call; as the model is configured when absent. */
  readonly maxPauseMs?: number | undefined;
}

/**
 * All calls of one resource go through here: turns, timeouts, retries, circuit and metrics are the same for every
 * provider.
 */
export class ProviderCalls {
  private readonly metrics: CallMetrics;
  private readonly circuit: Circuit;
  private readonly urgent: BulkheadPolicy;
  private readonly background: BulkheadPolicy;

  constructor(private readonly options: ProviderCallsOptions) {
    const { limits, metrics, resource, onCircuitOpen } = options;
    this.metrics = new CallMetrics(metrics, resource);
    this.circuit = new Circuit(limits, {
      onOpen: onCircuitOpen,
      onChange: (isOpen) => {
        this.metrics.circuitIsOpen(isOpen);
      },
    });
    this.urgent = bulkhead(limits.concurrency, limits.maxWaiting);
    this.background = bulkhead(limits.concurrency, limits.maxWaiting);
  }

  get resource(): ProviderCallsOptions['resource'] {
    return this.options.resource;
  }

  used(usage: ModelUsage): void {
    this.metrics.used(usage);
  }

  /** The failure as callers see it. */
  toAppError(failure: ProviderFailure): AppError {
    return failureToAppError(failure, this.options.resource);
  }

  /**
   * @param attempt one request; it ends when its signal is aborted
   * @throws AppError, or the reason of the caller's signal
   */
  async run<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    { signal: caller, beforeRequest, isUrgent = false, maxPauseMs = Infinity }: CallOptions = {},
  ): Promise<T> {
    caller?.throwIfAborted();
    const startedAtMs = performance.now();
    const finish = (outcome: string): void => {
      this.metrics.called(outcome, (performance.now() - startedAtMs) / 1000);
    };
    try {
      const result = await this.traced(() =>
        this.tryAll(guarded(attempt, beforeRequest), {
          caller,
          turns: isUrgent ? this.urgent : this.background,
          maxPauseMs,
        }),
      );
      finish('ok');
      return result;
    } catch (error) {
      if (caller?.aborted) finish('aborted');
      caller?.throwIfAborted();
      if (error instanceof Refusal) throw error.cause;
      const failure = this.toFailure(error);
      finish(failure.reason);
      throw this.toAppError(failure);
    }
  }

  private traced<T>(work: () => Promise<T>): Promise<T> {
    const { kind, name } = this.options.resource;
    return inChildSpan(
      `call ${kind}`,
      { kind: SpanKind.CLIENT, attributes: { 'loci.resource': name } },
      work,
    );
  }

  private async tryAll<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    { caller, turns, maxPauseMs }: WholeCall,
  ): Promise<T> {
    const { limits, maxRetryIntervalSeconds, pause } = this.options;
    const totalMs = Math.max(Math.min(limits.totalTimeoutMs, remainingMs()), 1);
    const whole = AbortSignal.any([...(caller ? [caller] : []), AbortSignal.timeout(totalMs)]);
    const policy: RetryPolicy = {
      ...limits,
      maxPauseMs: Math.min(maxRetryIntervalSeconds * 1000, maxPauseMs),
      deadlineMs: Date.now() + totalMs,
      pause,
      signal: whole,
      onRetry: () => {
        this.metrics.retried();
      },
    };
    const inTurn = async (): Promise<T> => {
      for (;;) {
        // outside of the turns: who waits for a pause takes none
        await waitForPause(pause, policy);
        const result = await orAborted(
          turns.execute((): Promise<T | typeof PAUSED> =>
            pause.remainingMs() > 0
              ? Promise.resolve(PAUSED)
              : this.circuit.run(() => this.tryOnce(attempt, whole)),
          ),
          whole,
        );
        if (result !== PAUSED) return result;
      }
    };
    return withRetries(inTurn, policy);
  }

  private async tryOnce<T>(attempt: (signal: AbortSignal) => Promise<T>, whole: AbortSignal): Promise<T> {
    whole.throwIfAborted();
    const { limits, pause } = this.options;
    const timeout = AbortSignal.timeout(limits.attemptTimeoutMs);
    const signal = AbortSignal.any([whole, timeout]);
    const startedAtMs = performance.now();
    try {
      const result = await orAborted(attempt(signal), signal);
      pause.accepted();
      return result;
    } catch (error) {
      if (whole.aborted) throw error;
      if (error instanceof Refusal) throw error;
      const failure = timeout.aborted ? tooSlow() : this.toFailure(error);
      if (failure.asksForPause) {
        pause.refused({ startedAtMs, retryAfterMs: failure.retryAfterMs });
        this.metrics.paused();
      }
      throw failure;
    }
  }

  private toFailure(error: unknown): ProviderFailure {
    if (error instanceof ProviderFailure) return error;
    if (error instanceof BulkheadRejectedError) {
      return new ProviderFailure('overloaded', 'has too many requests of ours waiting; try again later');
    }
    const isTimeout = [...causesOf(error)].some((cause) => OUT_OF_TIME.has(textOf(cause, 'name') ?? ''));
    return isTimeout ? tooSlow() : this.options.toFailure(error);
  }
}

interface WholeCall {
  readonly caller: AbortSignal | undefined;
  readonly turns: BulkheadPolicy;
  readonly maxPauseMs: number;
}

/** A pause began while the call waited for its turn. */
const PAUSED = Symbol('paused');

/** The caller does not want the request to be made after all. */
class Refusal extends Error {}

const guarded =
  <T>(attempt: (signal: AbortSignal) => Promise<T>, beforeRequest: (() => void) | undefined) =>
  async (signal: AbortSignal): Promise<T> => {
    try {
      beforeRequest?.();
    } catch (cause) {
      throw new Refusal('The request is not made.', { cause });
    }
    return attempt(signal);
  };

const tooSlow = (): ProviderFailure =>
  new ProviderFailure('timeout', 'did not answer in time; try again later');

/** Milliseconds until the caller no longer waits for the current request. */
const remainingMs = (): number => (RequestContext.current()?.deadlineMs ?? Infinity) - Date.now();
