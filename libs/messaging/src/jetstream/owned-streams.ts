import { type Logger } from '@loci/platform';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { type NatsLink } from '../connection/nats-link.js';
import { type StreamDeclaration } from './declarations.js';
import { type JetStreamTopology } from './jetstream-topology.js';

/** How long others may wait for a stream that was lost while nothing is published into it. */
const CHECK_INTERVAL_MS = 5_000;

export interface OwnedStreamsParts {
  readonly link: NatsLink;
  readonly topology: Pick<JetStreamTopology, 'ensureStreams'>;
  readonly streams: readonly StreamDeclaration[];
  readonly logger: Logger;
}

/**
 * Keeps the streams of a service in existence: only their owner may create them, and consumers of other services wait for
 * them.
 */
export class OwnedStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopReconnect: (() => void) | undefined;
  private checking: Promise<void> | undefined;

  constructor(private readonly parts: OwnedStreamsParts) {}

  onApplicationBootstrap(): void {
    if (this.parts.streams.length === 0) return;
    this.check();
    this.timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.stopReconnect = this.parts.link.onReconnect(() => this.check());
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopReconnect?.();
    await this.checking;
  }

  private check(): void {
    if (!this.parts.link.isConnected) return;
    this.checking ??= this.ensure().finally(() => (this.checking = undefined));
  }

  private async ensure(): Promise<void> {
    const { topology, streams, logger } = this.parts;
    await topology.ensureStreams(streams).catch((error: unknown) => {
      logger.warn('streams could not be checked; trying again', { error });
    });
  }
}
