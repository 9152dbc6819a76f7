import {
  type AccessBounds,
  allows,
  areWithin,
  listNotifications,
  MAX_NOTIFICATIONS_PER_PAGE,
  type NotificationPage,
  notificationsRecorded,
  type NotificationType,
  rateLimited,
  unavailable,
} from '@loci/contracts';
import { EventListener, RpcClient } from '@loci/messaging';
import { Metrics } from '@loci/platform';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TokenVerifier } from '../access/token-verifier.js';
import { inStep } from '../capacity/in-step.js';
import { ownerOf } from '../capacity/owner.js';
import { type Owner, Shares } from '../capacity/shares.js';
import { GatewayEnv } from '../env.js';
import { EventStream } from './event-stream.js';
import { type FastifyReply, type FastifyRequest } from 'fastify';

export interface EventSubscription {
  readonly within: AccessBounds;
  /** Absent = all. */
  readonly types: readonly NotificationType[] | undefined;
  /** Absent = from now on. */
  readonly after: number | undefined;
  readonly follow: boolean;
}

/** A client that takes nothing any more is cut off, so long after its stream was closed. */
const FAREWELL_MS = 500;

const RETRY_AFTER_SECONDS = 5;

/** The streams of events of this gateway, each counted on the share of its caller. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly streams = new Map<
    EventStream,
    { readonly callerId: string; readonly hangUp: () => void }
  >();
  private readonly shares: Shares<'streams'>;
  private readonly refusals;
  private isClosing = false;

  constructor(
    private readonly rpc: RpcClient,
    private readonly env: GatewayEnv,
    tokens: TokenVerifier,
    events: EventListener,
    metrics: Metrics,
  ) {
    this.shares = new Shares({
      total: { streams: env.MAX_EVENT_STREAMS },
      organization: env.ORG_SHARE_PERCENT / 100,
      key: env.KEY_SHARE_PERCENT / 100,
    });
    metrics.gauge('event_streams_open', 'Clients that follow the stream of events.', [], (gauge) =>
      gauge.set(this.streams.size),
    );
    this.refusals = metrics.counter(
      'event_stream_refusals_total',
      'Streams of events that were turned away, by whose share was used up.',
      ['share'],
    );
    events.hear(notificationsRecorded, {
      onEvent: ({ recorded }) => this.ring(recorded),
      onGap: () => this.ringAll(),
    });
    tokens.onDoubt?.((callerId) => this.closeForbidden(callerId));
  }

  /**
   * Opens the stream of a request.
   * @throws AppError `overloaded` or `service_unavailable` when there are too many, and what reading answers with
   */
  async open(
    { within, types, after, follow }: EventSubscription,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AsyncGenerator<string>> {
    const { caller, lease } = request;
    if (!caller) throw new Error('An operational route has no caller.');
    const owner = ownerOf(request);
    this.takeShare(owner);
    const reader = { within, ofDeployment: within.orgId === undefined && allows(caller.scopes, 'admin') };
    const step = { timeoutMs: this.env.REQUEST_TIMEOUT_MS, lease };
    const stream = new EventStream({
      within,
      isWanted: ({ type }) => types === undefined || types.includes(type),
      read: (position) => inStep(step, () => this.read({ ...reader, after: position })),
      mayRead: async () => {
        const now = await request.callerNow();
        return now !== undefined && allows(now.scopes, 'read') && areWithin(within, now.bounds);
      },
      onEnd: () => this.end(stream, owner),
    });
    // before the first read: what is recorded in between rings
    this.streams.set(stream, { callerId: caller.id, hangUp: () => reply.raw.destroy() });
    reply.raw.once('close', () => this.end(stream, owner));
    try {
      return stream.frames(await this.read({ ...reader, after }), { after, follow });
    } catch (error) {
      this.end(stream, owner);
      throw error;
    }
  }

  /** Ends all streams: their clients connect again, to another gateway. */
  onModuleDestroy(): void {
    this.isClosing = true;
    for (const stream of this.streams.keys()) this.close(stream);
  }

  private read(request: {
    within: AccessBounds;
    ofDeployment: boolean;
    after: number | undefined;
  }): Promise<NotificationPage> {
    return this.rpc.call(listNotifications, { ...request, limit: MAX_NOTIFICATIONS_PER_PAGE });
  }

  private takeShare(owner: Owner): void {
    const lacking = this.isClosing ? 'process' : this.shares.lacking(owner, { streams: 1 });
    if (lacking === undefined) {
      this.shares.take(owner, { streams: 1 });
      return;
    }
    this.refusals.inc({ share: lacking });
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (lacking === 'process') {
      throw unavailable(
        'service_unavailable',
        'Too many streams of events are open; try again later.',
        retry,
      );
    }
    const message = `Too many streams of events of this ${lacking} are open; close some, or share one.`;
    throw rateLimited('overloaded', message, retry);
  }

  private end(stream: EventStream, owner: Owner): void {
    stream.close();
    if (this.streams.delete(stream)) this.shares.take(owner, { streams: -1 });
  }

  private close(stream: EventStream): void {
    stream.close();
    setTimeout(() => this.streams.get(stream)?.hangUp(), FAREWELL_MS).unref();
  }

  private closeForbidden(callerId: string | undefined): void {
    for (const [stream, { callerId: id }] of this.streams) {
      if (callerId !== undefined && callerId !== id) continue;
      void stream.mayStillRead().then((mayRead) => {
        if (!mayRead) this.close(stream);
      });
    }
  }

  private ring(recorded: readonly AccessBounds[]): void {
    for (const stream of this.streams.keys()) {
      if (recorded.some((bounds) => areWithin(bounds, stream.within))) stream.ring();
    }
  }

  private ringAll(): void {
    for (const stream of this.streams.keys()) stream.ring();
  }
}
