import { AsyncLocalStorage } from 'node:async_hooks';
import { type Author } from '@loci/contracts';

/** What travels with a request through every process that works on it. */
export interface RequestScope {
  readonly requestId: string;
  /** Unix milliseconds after which the caller no longer waits for the answer. */
  readonly deadlineMs?: number | undefined;
  /** W3C trace context. */
  readonly traceparent?: string | undefined;
  /** Is told the bytes of each reply before it is read, and throws when that is too much. Stays in this process. */
  readonly takeReply?: ((bytes: number) => void) | undefined;
  /** The organization that it is about, as far as it names one. */
  readonly orgId?: string | undefined;
  /** Who sent it; absent where no authentication is required. */
  readonly author?: Author | undefined;
}

const storage = new AsyncLocalStorage<RequestScope | undefined>();

/** The request that the current code works on. */
export const RequestContext = {
  current: (): RequestScope | undefined => storage.getStore(),
  run: <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work),
  /** Does work that belongs to no request. */
  outside: <T>(work: () => T): T => storage.run(undefined, work),
};
