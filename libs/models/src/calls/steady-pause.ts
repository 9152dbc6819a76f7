import { type IBackoff, type IBackoffFactory } from 'cockatiel';

/**
 * How long a circuit breaker stays open, by a clock that is never set. The breaker itself compares the time of day, so where
 * that is set back by an hour it would be open for an hour longer: it is told that the pause is endless until it is over.
 */
export const steadyPause = (ms: number): IBackoffFactory<unknown> => ({
  next: (): IBackoff<unknown> => {
    const endsAt = performance.now() + ms;
    return {
      get duration() {
        return performance.now() < endsAt ? Infinity : -Infinity;
      },
      next: (context) => steadyPause(ms).next(context),
    };
  },
});
