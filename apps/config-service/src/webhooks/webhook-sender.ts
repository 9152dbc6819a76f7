import { WEBHOOK_URL_MAX_CHARS } from '@loci/contracts';
import {
  EgressGuard,
  causesOf,
  dnsResolve,
  failureOfConnection,
  httpAddress,
  refusalOfHost,
  retryAfterMs,
  textOf,
} from '@loci/models';
import { VERSION } from '@loci/platform';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { ConfigServiceEnv } from '../env.js';
import { type DeliveryOutcome } from './webhook.js';

/** Of an answer nothing but its status is read. */
const MAX_REPLY_BYTES = 65_536;

const OUT_OF_TIME: ReadonlySet<string> = new Set(['TimeoutError', 'AbortError']);

export interface Delivery {
  readonly url: string;
  /** The current one first. */
  readonly secrets: readonly string[];
  /** Stays the same however often it is sent. */
  readonly eventId: string;
  readonly body: string;
}

/** Sends events by HTTP, signed as Standard Webhooks says, to addresses that are allowed alone. */
@Injectable()
export class WebhookSender implements OnModuleDestroy {
  private readonly guard: EgressGuard;
  private readonly policy;

  constructor(env: ConfigServiceEnv) {
    this.policy = { allowPrivate: env.EGRESS_ALLOW_PRIVATE };
    const bounds = { maxBytes: MAX_REPLY_BYTES, timeoutMs: env.WEBHOOK_TIMEOUT_MS };
    // clients enter names: look-ups of one organization must not keep those of all others waiting
    const resolve = env.EGRESS_ALLOW_PRIVATE ? undefined : dnsResolve();
    this.guard = new EgressGuard(this.policy, bounds, resolve);
  }

  async onModuleDestroy(): Promise<void> {
    await this.guard.close();
  }

  /**
   * An address as it is sent to. Names are looked up at each delivery, and checked then.
   * @returns what is wrong with it, as a text
   */
  addressIn(text: string): URL | string {
    const address = httpAddress(text);
    if (typeof address === 'string') return address;
    if (address.protocol === 'http:' && !this.policy.allowPrivate) {
      return 'Input should be an address with https; http is for deployments with EGRESS_ALLOW_PRIVATE=true';
    }
    if (address.href.length > WEBHOOK_URL_MAX_CHARS) {
      return `Input should be an address of at most ${WEBHOOK_URL_MAX_CHARS} characters once it is encoded`;
    }
    const refusal = refusalOfHost(address.hostname, this.policy);
    return refusal ? `The receiver ${refusal.message}` : address;
  }

  /** @throws only when the signal is aborted */
  async send({ url, secrets, eventId, body }: Delivery, signal: AbortSignal): Promise<DeliveryOutcome> {
    const begunAt = performance.now();
    const end = (outcome: Omit<DeliveryOutcome, 'durationMs'>): DeliveryOutcome => ({
      ...outcome,
      durationMs: Math.round(performance.now() - begunAt),
    });
    try {
      const headers = signedHeaders(secrets, eventId, body);
      const response = await this.guard.fetch(url, { method: 'POST', headers, body, signal });
      await response.body?.cancel();
      const { status: httpStatus, ok } = response;
      const error = ok ? undefined : refusedWith(httpStatus);
      return end({ isDelivered: ok, httpStatus, error, retryAfterMs: retryAfterMs(response.headers) });
    } catch (error) {
      signal.throwIfAborted();
      return end({
        isDelivered: false,
        httpStatus: undefined,
        error: storyOf(error),
        retryAfterMs: undefined,
      });
    }
  }
}

function signedHeaders(secrets: readonly string[], eventId: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': `Loci/${VERSION}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventId, now, body)).join(' '),
  };
}

function refusedWith(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered with a redirect (HTTP ${status}), which is not followed; enter the address it leads to.`;
  }
  return `The receiver answered HTTP ${status}.`;
}

function storyOf(error: unknown): string {
  const isTimeout = [...causesOf(error)].some((cause) => OUT_OF_TIME.has(textOf(cause, 'name') ?? ''));
  return isTimeout
    ? 'The receiver did not answer in time.'
    : `The receiver ${failureOfConnection(error).message}.`;
}
