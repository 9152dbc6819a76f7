import { rateLimited, unavailable } from '@loci/contracts';
import { Metrics } from '@loci/platform';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ownerOf } from '../capacity/owner.js';
import { Shares } from '../capacity/shares.js';
import { GatewayEnv } from '../env.js';

const RETRY_AFTER_SECONDS = 5;

/** How many streams are open, whatever they tell, and whose they are. */
@Injectable()
export class StreamShares implements OnModuleDestroy {
  private readonly shares: Shares<'streams'>;
  private readonly refusals;
  private isClosing = false;

  constructor(env: GatewayEnv, metrics: Metrics) {
    this.shares = new Shares({
      total: { streams: env.MAX_EVENT_STREAMS },
      organization: env.ORG_SHARE_PERCENT / 100,
      key: env.KEY_SHARE_PERCENT / 100,
    });
    metrics.gauge('event_streams_open', 'Clients that follow events or statistics.', [], (gauge) =>
      gauge.set(this.shares.used.streams),
    );
    this.refusals = metrics.counter(
      'event_stream_refusals_total',
      'Streams of events that were turned away, by whose share was used up.',
      ['share'],
    );
  }

  onModuleDestroy(): void {
    this.isClosing = true;
  }

  /**
   * Counts a stream on the share of its caller.
   * @returns gives it back; more than once is as once
   * @throws AppError `overloaded` or `service_unavailable` when there are too many
   */
  take(request: FastifyRequest): () => void {
    const owner = ownerOf(request);
    const lacking = this.isClosing ? 'process' : this.shares.lacking(owner, { streams: 1 });
    if (lacking !== undefined) throw this.refused(lacking);
    this.shares.take(owner, { streams: 1 });
    let isOpen = true;
    return () => {
      if (isOpen) this.shares.take(owner, { streams: -1 });
      isOpen = false;
    };
  }

  private refused(lacking: 'key' | 'organization' | 'process'): Error {
    this.refusals.inc({ share: lacking });
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (lacking === 'process') {
      return unavailable(
        'service_unavailable',
        'Too many streams of events are open; try again later.',
        retry,
      );
    }
    const message = `Too many streams of events of this ${lacking} are open; close some, or share one.`;
    return rateLimited('overloaded', message, retry);
  }
}
