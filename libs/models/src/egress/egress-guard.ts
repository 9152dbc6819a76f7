import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import { type Readable } from 'node:stream';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit, type Response } from 'undici';
import { type EgressPolicy } from './egress-policy.js';
import { boundedResponse, boundedStream, type ReplyBounds } from './reply-bounds.js';
import { guardedLookup, refusalOfHost, type Resolve } from './guarded-lookup.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Connections to so many servers are kept. Clients enter the addresses of webhooks: each would be remembered for good. */
const MAX_ORIGINS = 1_000;

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The HTTP connections of one model: to allowed addresses only, redirects not followed, replies bounded. */
export class EgressGuard {
  private readonly lookup;
  private dispatcher: Agent;
  private readonly origins = new Set<string>();

  constructor(
    private readonly policy: EgressPolicy,
    private readonly bounds: ReplyBounds,
    resolve?: Resolve,
  ) {
    this.lookup = guardedLookup(policy, resolve);
    this.dispatcher = this.newDispatcher();
  }

  readonly fetch: GuardedFetch = async (url, init = {}) => {
    const timeout = AbortSignal.timeout(this.bounds.timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const request = { ...init, signal, redirect: 'manual', dispatcher: this.dispatcherTo(url) } as const;
    return boundedResponse(await undiciFetch(url, request), this.bounds);
  };

  /** Bounds the reply to a request that was made with the agents. */
  bound(body: Readable): Readable {
    return boundedStream(body, this.bounds);
  }

  /** For clients that bring their own HTTP; the caller destroys the agents. */
  agents(): { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent } {
    const options: AgentOptions = { keepAlive: true, lookup: this.lookup };
    return {
      httpAgent: guarded(new HttpAgent(options), this.policy),
      httpsAgent: guarded(new HttpsAgent(options), this.policy),
    };
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  /** Another one for one server too many; what is under way by the former one still ends. */
  private dispatcherTo(url: string | URL): Agent {
    const { origin } = new URL(url);
    if (!this.origins.has(origin) && this.origins.size >= MAX_ORIGINS) {
      this.dispatcher.close().catch(() => undefined);
      this.dispatcher = this.newDispatcher();
      this.origins.clear();
    }
    this.origins.add(origin);
    return this.dispatcher;
  }

  private newDispatcher(): Agent {
    const { lookup, policy } = this;
    const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
    // calls have timeouts of their own, so undici's are off
    return new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const refusal = refusalOfHost(options.hostname, policy);
        if (refusal) callback(refusal, null);
        else connect(options, callback);
      },
    });
  }
}

/** A refusal is given to the callback: thrown, it would end the process when the agent connects later on its own. */
function guarded<A extends HttpAgent>(agent: A, policy: EgressPolicy): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const refusal = refusalOfHost(options.host ?? '', policy);
    if (!refusal) return connect(options, callback);
    callback?.(refusal, new Socket().destroy());
    return undefined;
  };
  return agent;
}
