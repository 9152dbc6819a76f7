import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import { type Readable } from 'node:stream';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit, type Response } from 'undici';
import { type EgressPolicy } from './egress-policy.js';
import { boundedResponse, boundedStream, type ReplyBounds } from './reply-bounds.js';
import { guardedLookup, refusalOfHost, type Resolve } from './guarded-lookup.js';

const CONNECT_TIMEOUT_MS = 10_000;

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The HTTP connections of one model: to allowed addresses only, redirects not followed, replies bounded. */
export class EgressGuard {
  private readonly dispatcher: Agent;
  private readonly lookup;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly bounds: ReplyBounds,
    resolve?: Resolve,
  ) {
    this.lookup = guardedLookup(policy, resolve);
    const connect = buildConnector({ lookup: this.lookup, timeout: CONNECT_TIMEOUT_MS });
    // calls have timeouts of their own, so undici's are off
    this.dispatcher = new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const refusal = refusalOfHost(options.hostname, policy);
        if (refusal) callback(refusal, null);
        else connect(options, callback);
      },
    });
  }

  readonly fetch: GuardedFetch = async (url, init = {}) => {
    const timeout = AbortSignal.timeout(this.bounds.timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const request = { ...init, signal, redirect: 'manual', dispatcher: this.dispatcher } as const;
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
