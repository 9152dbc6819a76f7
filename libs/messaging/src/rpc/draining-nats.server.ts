import { type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type MessageHandler, ServerNats } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { type LastingSubscription } from '../connection/lasting-subscription.js';
import { type NatsLink } from '../connection/nats-link.js';
import { operationOf, turnsOf } from './handle.decorator.js';
import { type Endpoint, isRequest, type RequestAnswerer } from './request-answerer.js';

export interface RpcServerOptions {
  /** Queue group: of all processes with this name, one gets each request. The name of the service. */
  readonly queue: string;
  /** Requests that are worked on at the same time; further ones are turned away at once. */
  readonly maxInFlight?: number;
  /** Of the requests that read much (`HandleOptions.inTurn`), how many are worked on at the same time. */
  readonly readsAtOnce?: number;
}

type RequestHandler = MessageHandler<object, undefined, unknown>;

const DEFAULT_MAX_IN_FLIGHT = 1_000;
const DRAIN_TIMEOUT_MS = 20_000;

/**
 * Nest's NATS transport on the shared connection of the process. Closing takes no new requests, answers those that were
 * taken, and leaves the connection to its owner. (Nest's own grace period is a fixed sleep.)
 */
export class DrainingNatsServer extends ServerNats {
  private readonly open: LastingSubscription[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private readonly maxInFlight: number;

  constructor(
    private readonly link: NatsLink,
    private readonly answerer: RequestAnswerer,
    private readonly settings: RpcServerOptions,
  ) {
    super({});
    this.maxInFlight = settings.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT;
  }

  override createNatsClient(): Promise<NatsConnection> {
    return Promise.resolve(this.link.connection);
  }

  /** The link follows and logs the state of the connection. */
  override handleStatusUpdates(): Promise<void> {
    return Promise.resolve();
  }

  /** Subscribes, and is ready when the server knows of it. */
  override start(callback: (error?: unknown) => void): void {
    this.bindEvents();
    this.link.connection.flush().then(() => callback(), callback);
  }

  override bindEvents(): void {
    for (const [subject, handler] of this.messageHandlers) {
      const operation = operationOf(handler);
      if (!operation) throw new Error(`The handler of ${subject} is not declared with @Handle.`);
      const handle = handler as RequestHandler;
      const endpoint: Endpoint = {
        operation,
        handle: (request) => settled(handle, request),
        turnsOf: turnsOf(handler),
      };
      const onMessage = (message: Msg): void => this.take(endpoint, message);
      this.open.push(this.link.subscribe(subject, { queue: this.settings.queue, onMessage }));
    }
  }

  override async close(): Promise<void> {
    const subscriptions = this.open.splice(0);
    if (this.link.isConnected) await Promise.allSettled(subscriptions.map((open) => open.drain()));
    else for (const subscription of subscriptions) subscription.unsubscribe();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_TIMEOUT_MS)));
    await Promise.race([Promise.all(this.inFlight), tooLong]);
    clearTimeout(timer);
  }

  private take(endpoint: Endpoint, message: Msg): void {
    if (!isRequest(endpoint, message)) {
      this.answerer.ignore(endpoint, message);
      return;
    }
    if (this.inFlight.size >= this.maxInFlight) {
      this.answerer.refuse(endpoint, message);
      return;
    }
    const work = this.answerer
      .answer(endpoint, message)
      .catch((error: unknown) => this.answerer.fail(endpoint, error))
      .finally(() => this.inFlight.delete(work));
    this.inFlight.add(work);
  }
}

/** Nest hands over a value, or a stream with the error. */
async function settled(
  handler: MessageHandler<object, undefined, unknown>,
  request: object,
): Promise<unknown> {
  const result: unknown = await handler(request);
  return isObservable(result) ? lastValueFrom(result) : result;
}
