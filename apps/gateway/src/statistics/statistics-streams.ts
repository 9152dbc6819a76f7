import { setTimeout as pause } from 'node:timers/promises';
import { allows } from '@loci/contracts';
import { REPORT_MS } from '@loci/messaging';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { StreamShares } from '../events/stream-shares.js';
import { whenClosed } from '../http/when-closed.js';
import { CurrentStatistics } from './current-statistics.js';
import { type StreamStatisticsQuery } from './statistics.wire.js';

/** How long a client waits before it connects again. */
const RETRY = 'retry: 1000\n';

/** A client that takes nothing any more is cut off, so long after its stream was closed. */
const FAREWELL_MS = 500;

/** The clients of this gateway that follow the statistics. */
@Injectable()
export class StatisticsStreams implements OnModuleDestroy {
  private readonly followers = new Set<AbortController>();

  constructor(
    private readonly statistics: CurrentStatistics,
    private readonly shares: StreamShares,
  ) {}

  /** @throws AppError `overloaded` or `service_unavailable` when there are too many streams */
  open(
    { minutes, follow }: StreamStatisticsQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): AsyncGenerator<string> {
    const left = new AbortController();
    const giveBack = this.shares.take(request, () => left.abort());
    this.followers.add(left);
    left.signal.addEventListener('abort', () => {
      setTimeout(() => reply.raw.destroy(), FAREWELL_MS).unref();
    });
    whenClosed(reply, () => {
      left.abort();
      this.followers.delete(left);
      giveBack();
    });
    return this.frames({ minutes, follow }, request, left.signal);
  }

  /** Ends all streams: their clients connect again, to another gateway. */
  onModuleDestroy(): void {
    for (const left of this.followers) left.abort();
  }

  private async *frames(
    { minutes, follow }: StreamStatisticsQuery,
    request: FastifyRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield RETRY + this.frame(minutes);
    while (follow) {
      await pause(REPORT_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || !(await mayRead(request))) return;
      yield this.frame(minutes);
    }
  }

  private frame(minutes: number): string {
    return `event: statistics\ndata: ${JSON.stringify(this.statistics.of(minutes))}\n\n`;
  }
}

async function mayRead(request: FastifyRequest): Promise<boolean> {
  const now = await request.callerNow();
  return now !== undefined && allows(now.scopes, 'read') && now.bounds.orgId === undefined;
}
