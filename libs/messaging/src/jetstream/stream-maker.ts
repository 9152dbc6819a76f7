import { type Logger, type Metrics } from '@loci/platform';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { errors } from '@nats-io/transport-node';
import { type NatsLink } from '../connection/nats-link.js';
import { type ConsumerDeclaration, type StreamDeclaration } from './declarations.js';
import { type JetStreamTopology } from './jetstream-topology.js';

/** How long others may wait for what was lost while the connection was not. */
const CHECK_INTERVAL_MS = 5_000;
/** JetStream is ready a moment after the server. */
const RETRY_MS = 500;

export interface StreamMakerParts {
  readonly link: NatsLink;
  readonly topology: Pick<JetStreamTopology, 'ensureStreams' | 'removePushing' | 'ensureConsumer' | 'made'>;
  readonly streams: readonly StreamDeclaration[];
  readonly consumers: readonly ConsumerDeclaration[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Makes streams and consumers, keeps them as they are declared, and deletes consumers that push. It alone may: NATS does not look into such a request,
 * which could have what is stored published again as the event of another service.
 */
export class StreamMaker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopReconnect: (() => void) | undefined;
  private checking: Promise<void> | undefined;
  private isStopping = false;
  private hasAll = false;
  private hasHadAll = false;
  private readonly lost;

  constructor(private readonly parts: StreamMakerParts) {
    this.lost = parts.metrics.counter(
      'jetstream_lost_total',
      'Streams and consumers that were there once, were gone at a later look, and were made again.',
      [],
    );
  }

  /** Whether everything was there, as declared, at the last look. */
  get isComplete(): boolean {
    return this.hasAll;
  }

  onApplicationBootstrap(): void {
    this.stopReconnect = this.parts.link.onReconnect(() => this.check());
    this.check();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.stopReconnect?.();
    clearTimeout(this.timer);
    await this.checking;
  }

  private check(): void {
    clearTimeout(this.timer);
    this.checking ??= this.ensure().finally(() => {
      this.checking = undefined;
      if (!this.isStopping)
        this.timer = setTimeout(() => this.check(), this.hasAll ? CHECK_INTERVAL_MS : RETRY_MS);
    });
  }

  /** One that cannot be made keeps no other from being made; a JetStream that does not answer is asked no more this time. */
  private async ensure(): Promise<void> {
    const { link, topology, streams, consumers, logger } = this.parts;
    const madeBefore = topology.made;
    const works = [
      ...streams.map((stream) => (): Promise<unknown> => topology.ensureStreams([stream])),
      ...streams.map((stream) => (): Promise<unknown> => topology.removePushing(stream)),
      ...consumers.map((consumer) => (): Promise<unknown> => topology.ensureConsumer(consumer)),
    ];
    let failures = 0;
    for (const work of works) {
      if (this.isStopping || !link.isConnected) break;
      const error = await failureOf(work());
      if (error === undefined) continue;
      failures += 1;
      logger.warn('a stream or consumer could not be checked; trying again', { error });
      if (error instanceof errors.TimeoutError) break;
    }
    if (this.hasHadAll) this.lost.inc(topology.made - madeBefore);
    this.hasAll = failures === 0 && link.isConnected;
    this.hasHadAll ||= this.hasAll;
  }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
