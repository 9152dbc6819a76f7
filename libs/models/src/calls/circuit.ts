import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel';
import { type CallLimits } from './call-limits.js';
import { ProviderFailure } from './provider-failure.js';
import { steadyPause } from './steady-pause.js';

export interface CircuitListeners {
  readonly onOpen: (reason: string) => void;
  readonly onChange: (isOpen: boolean) => void;
}

/** Leaves a provider alone after several failures in a row, so that callers fail at once instead of waiting in vain. */
export class Circuit {
  private readonly policy: CircuitBreakerPolicy;
  private readonly pauseMs: number;
  private lastReason = '';

  constructor({ circuitThreshold, circuitPauseMs }: CallLimits, { onOpen, onChange }: CircuitListeners) {
    this.pauseMs = circuitPauseMs;
    this.policy = circuitBreaker(
      handleWhen((error) => error instanceof ProviderFailure && error.isInVain),
      { halfOpenAfter: steadyPause(circuitPauseMs), breaker: new ConsecutiveBreaker(circuitThreshold) },
    );
    this.policy.onBreak(() => onOpen(this.lastReason));
    this.policy.onStateChange((state) => onChange(state === CircuitState.Open));
  }

  /** @throws ProviderFailure `circuit_open` without calling */
  async run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.policy.execute(() => this.remembering(call));
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new ProviderFailure(
        'circuit_open',
        `is left alone for a moment after it failed again and again; last it ${this.lastReason}`,
        { retryAfterMs: this.pauseMs },
      );
    }
  }

  private async remembering<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ProviderFailure) this.lastReason = error.message;
      throw error;
    }
  }
}
