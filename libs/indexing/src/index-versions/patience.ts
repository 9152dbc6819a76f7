import { type AppError, unavailable } from '@loci/contracts';
import { steadyPause } from '@loci/models';
import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleType,
} from 'cockatiel';

/** So many waits in vain, one after the other, and no request waits for the embedder for a while. */
const MOST_IN_VAIN = 3;
const LEFT_ALONE_MS = 15_000;

/** How long requests wait for embedders: not for one that let the last of them wait in vain, but for one try now and then. */
export class Patience {
  /** Of embedders that let a request wait in vain, and have not answered in time since; by name. */
  private readonly circuits = new Map<string, CircuitBreakerPolicy>();

  /** @param mostMs how long a request waits at most */
  constructor(private readonly mostMs: number) {}

  /**
   * Does work with an embedder that a request waits for.
   * @param work gets what is aborted when the request does not wait for it any more
   * @throws AppError `embedder_unavailable` when it takes too long, or did for the requests before; what the work throws
   */
  async waitFor<T>(embedder: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const circuit = this.circuits.get(embedder) ?? newCircuit();
    try {
      const result = await circuit.execute(() => inTime(work, this.mostMs));
      this.circuits.delete(embedder);
      return result;
    } catch (error) {
      if (error instanceof TooSlow) this.circuits.set(embedder, circuit);
      else if (!(error instanceof BrokenCircuitError)) throw error;
      throw embedderUnavailable(embedder, 'takes too long');
    }
  }
}

class TooSlow extends Error {}

const newCircuit = (): CircuitBreakerPolicy =>
  circuitBreaker(handleType(TooSlow), {
    halfOpenAfter: steadyPause(LEFT_ALONE_MS),
    breaker: new ConsecutiveBreaker(MOST_IN_VAIN),
  });

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>, mostMs: number): Promise<T> {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TooSlow();
      patience.abort(error);
      reject(error);
    }, mostMs);
  });
  try {
    return await Promise.race([work(patience.signal), tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}

export const embedderUnavailable = (embedder: string, why: string): AppError =>
  unavailable('embedder_unavailable', `Embedder '${embedder}' ${why}.`, { retryAfterSeconds: 2 });
