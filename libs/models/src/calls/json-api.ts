import { checkedFetch } from './checked-fetch.js';
import { type EgressGuard, type GuardedFetch } from '../egress/egress-guard.js';

export interface JsonAnswer {
  readonly body: unknown;
  readonly headers: { get(name: string): string | null };
}

/**
 * Providers of whom we need one POST or two. Their own SDKs would bring HTTP of their own, past the guard of addresses, or
 * are not kept any more (decision 0062).
 */
export class JsonApi {
  private readonly fetch: GuardedFetch;
  private readonly base: string;

  /** @param key absent or empty: none is sent */
  constructor(
    private readonly guard: EgressGuard,
    base: string,
    private readonly key: string | undefined,
  ) {
    this.fetch = checkedFetch(guard);
    this.base = base.replace(/\/+$/, '');
  }

  async post(path: string, body: object, signal: AbortSignal): Promise<JsonAnswer> {
    const response = await this.fetch(`${this.base}${path}`, {
      method: 'POST',
      headers: {
        ...(this.key && { authorization: `Bearer ${this.key}` }),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(body),
      signal,
    });
    return { body: await response.json(), headers: response.headers };
  }

  close(): Promise<void> {
    return this.guard.close();
  }
}
