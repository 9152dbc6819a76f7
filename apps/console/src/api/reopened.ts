import { ASK_AGAIN_MS } from './ask-again.js';
import { isRefused } from './failures.js';

interface ReopenedOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Is told why nothing comes, each time. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * What a stream brings. One that broke is opened again for as long as it is wanted.
 * @throws LociError when it is refused; the reason of the signal when it ends
 */
export async function* reopened<Item>(
  open: () => AsyncIterable<Item>,
  { signal, onFailure }: ReopenedOptions,
): AsyncGenerator<Item, void> {
  for (;;) {
    try {
      yield* open();
    } catch (error) {
      signal.throwIfAborted();
      if (isRefused(error)) throw error;
      onFailure?.(error);
    }
    await pause(signal);
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ASK_AGAIN_MS);
    signal.addEventListener('abort', stop, { once: true });
  });
