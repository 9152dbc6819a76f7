import {
  type AccessBounds,
  allows,
  areWithin,
  listNotifications,
  MAX_NOTIFICATIONS_PER_PAGE,
  type NotificationPage,
  notificationsRecorded,
  type NotificationType,
} from '@loci/contracts';
import { EventListener, RpcClient } from '@loci/messaging';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TokenVerifier } from '../access/token-verifier.js';
import { inStep } from '../capacity/in-step.js';
import { GatewayEnv } from '../env.js';
import { whenClosed } from '../http/when-closed.js';
import { EventStream } from './event-stream.js';
import { StreamShares } from './stream-shares.js';
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

/** The streams of events of this gateway, each counted on the share of its caller. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly streams = new Map<
    EventStream,
    { readonly callerId: string; readonly hangUp: () => void }
  >();

  constructor(
    private readonly rpc: RpcClient,
    private readonly env: GatewayEnv,
    tokens: TokenVerifier,
    events: EventListener,
    private readonly shares: StreamShares,
  ) {
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
    const giveBack = this.shares.take(request, () => this.close(stream));
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
      onEnd: () => this.end(stream, giveBack),
    });
    // before the first read: what is recorded in between rings
    this.streams.set(stream, { callerId: caller.id, hangUp: () => reply.raw.destroy() });
    whenClosed(reply, () => this.end(stream, giveBack));
    try {
      return stream.frames(await this.read({ ...reader, after }), { after, follow });
    } catch (error) {
      this.end(stream, giveBack);
      throw error;
    }
  }

  /** Ends all streams: their clients connect again, to another gateway. */
  onModuleDestroy(): void {
    for (const stream of this.streams.keys()) this.close(stream);
  }

  private read(request: {
    within: AccessBounds;
    ofDeployment: boolean;
    after: number | undefined;
  }): Promise<NotificationPage> {
    return this.rpc.call(listNotifications, { ...request, limit: MAX_NOTIFICATIONS_PER_PAGE });
  }

  private end(stream: EventStream, giveBack: () => void): void {
    stream.close();
    this.streams.delete(stream);
    giveBack();
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
