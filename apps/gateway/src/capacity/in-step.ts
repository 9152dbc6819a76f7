import { RequestContext } from '@loci/platform';
import { type Lease } from './lease.js';

export interface StepOptions {
  readonly timeoutMs: number;
  /** Of the request. */
  readonly lease: Lease | undefined;
  /** What a service answers at most, if that is much: the step waits until there is memory for it. */
  readonly answerBytes?: number;
}

/**
 * Each step of a request that takes long has the time and the turn of a request of its own: the whole may take as long as it takes, and
 * while it waits for its client, it blocks no other request.
 */
export function inStep<T>(
  { timeoutMs, lease, answerBytes }: StepOptions,
  step: () => Promise<T>,
): Promise<T> {
  const scope = RequestContext.current() ?? { requestId: 'step' };
  return RequestContext.run({ ...scope, deadlineMs: Date.now() + timeoutMs }, async () => {
    await lease?.resume(answerBytes);
    try {
      return await step();
    } finally {
      lease?.dropReplies();
      lease?.pause();
    }
  });
}
