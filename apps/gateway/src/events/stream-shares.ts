import { rateLimited, unavailable } from '@loci/contracts';
import { Metrics } from '@loci/platform';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ownerOf } from '../capacity/owner.js';
import { type Owner, Shares } from '../capacity/shares.js';
import { GatewayEnv } from '../env.js';

const RETRY_AFTER_SECONDS = 5;

interface OpenStream {
  readonly owner: Owner;
  readonly end: () => void;
  readonly giveBack: () => void;
}

/**
 * How many streams are open, whatever they tell, and whose they are. A stream may stay open for ever, so shares alone would
 * let a few organizations keep all others out: when there is no room left, the organization that has most gives one up.
 */
@Injectable()
export class StreamShares implements OnModuleDestroy {
  private readonly shares: Shares<'streams'>;
  /** In the sequence in which they were opened. */
  private readonly open = new Set<OpenStream>();
  private readonly refusals;
  private readonly givenUp;
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
    this.givenUp = metrics.counter(
      'event_streams_given_up_total',
      'Streams of events that were ended so that an organization with fewer may have one.',
      [],
    );
  }

  onModuleDestroy(): void {
    this.isClosing = true;
  }

  /**
   * Counts a stream on the share of its caller.
   * @param end ends it when its room is needed for another organization; its client may connect again
   * @returns gives it back; more than once is as once
   * @throws AppError `overloaded` or `service_unavailable` when there are too many
   */
  take(request: FastifyRequest, end: () => void): () => void {
    const owner = ownerOf(request);
    const lacking = this.isClosing ? 'process' : this.shares.lacking(owner, { streams: 1 });
    if (lacking === 'process' && !this.isClosing && this.makeRoomFor(owner)) return this.take(request, end);
    if (lacking !== undefined) throw this.refused(lacking);
    this.shares.take(owner, { streams: 1 });
    const giveBack = (): void => {
      if (this.open.delete(stream)) this.shares.take(owner, { streams: -1 });
    };
    const stream = { owner, end, giveBack };
    this.open.add(stream);
    return giveBack;
  }

  /** Ends the newest stream of the organization that has most, unless the owner would have as many then. */
  private makeRoomFor({ org }: Owner): boolean {
    const byOrganization = new Map<string, OpenStream[]>();
    for (const stream of this.open) {
      const streams = byOrganization.get(stream.owner.org);
      if (streams) streams.push(stream);
      else byOrganization.set(stream.owner.org, [stream]);
    }
    const [most = []] = [...byOrganization.values()].sort((one, other) => other.length - one.length);
    const newest = most.at(-1);
    if (!newest || most.length <= (byOrganization.get(org)?.length ?? 0) + 1) return false;
    newest.giveBack();
    newest.end();
    this.givenUp.inc();
    return true;
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
