import { type DynamicModule, Module } from '@nestjs/common';
import { HealthChecks, Logger, Metrics } from '@loci/platform';
import { EventListener } from './events/event-listener.js';
import { Signals } from './events/signals.js';
import { MessagePublisher } from './jetstream/message-publisher.js';
import { STREAMS } from './jetstream/topology.js';
import { JetStreamTopology } from './jetstream/jetstream-topology.js';
import { RpcClient } from './rpc/rpc-client.js';
import { ProcessReporter } from './statistics/process-reporter.js';
import { type NatsSettings } from './connection/connection-settings.js';
import { NatsLink } from './connection/nats-link.js';

export interface NatsModuleOptions extends NatsSettings {
  /** Copies that the cluster keeps of each stream that this process makes; 3 in production, 1 where there is one server. */
  readonly streamReplicas?: number;
  /** The process `streams` makes streams and consumers, and this one waits for them. By default it makes those that it misses. */
  readonly findsStreams?: boolean;
}

/**
 * The connection of the process, a client for requests, a publisher of messages, and a listener, for every module in it.
 * The process does not start without NATS (`NatsUnreachableError`), and reports `nats` in its readiness, and apart from
 * it whether the server lets the process hear all that it has to.
 */
@Module({})
export class NatsModule {
  static forRoot({
    streamReplicas = 1,
    findsStreams = false,
    ...settings
  }: NatsModuleOptions): DynamicModule {
    return {
      module: NatsModule,
      global: true,
      providers: [
        {
          provide: NatsLink,
          inject: [Logger, HealthChecks],
          useFactory: async (logger: Logger, health: HealthChecks) => {
            const link = await NatsLink.connect(settings, logger);
            health.register('nats', () => link.isConnected);
            health.register('permissions at nats', () => link.isPermitted);
            return link;
          },
        },
        {
          provide: JetStreamTopology,
          inject: [NatsLink, Logger, HealthChecks],
          useFactory: (link: NatsLink, logger: Logger, health: HealthChecks) => {
            const topology = new JetStreamTopology(link, logger, {
              streams: STREAMS,
              replicas: streamReplicas,
              findsStreams,
            });
            health.register('consumers that the process streams makes', () => topology.isComplete);
            return topology;
          },
        },
        RpcClient,
        MessagePublisher,
        EventListener,
        Signals,
        {
          provide: ProcessReporter,
          inject: [Signals, { token: Metrics, optional: true }],
          useFactory: (signals: Signals, metrics?: Metrics) =>
            metrics && new ProcessReporter(signals, metrics),
        },
      ],
      exports: [NatsLink, JetStreamTopology, RpcClient, MessagePublisher, EventListener, Signals],
    };
  }
}
