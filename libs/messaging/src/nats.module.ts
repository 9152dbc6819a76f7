import { type DynamicModule, Module } from '@nestjs/common';
import { HealthChecks, Logger, Metrics } from '@loci/platform';
import { EventListener } from './events/event-listener.js';
import { Signals } from './events/signals.js';
import { MessagePublisher } from './jetstream/message-publisher.js';
import { OwnedStreams } from './jetstream/owned-streams.js';
import { STREAMS, type StreamOwner, streamsOf } from './jetstream/topology.js';
import { JetStreamTopology } from './jetstream/jetstream-topology.js';
import { RpcClient } from './rpc/rpc-client.js';
import { ProcessReporter } from './statistics/process-reporter.js';
import { type NatsSettings } from './connection/connection-settings.js';
import { NatsLink } from './connection/nats-link.js';

export interface NatsModuleOptions extends NatsSettings {
  /** Copies that the cluster keeps of each stream; 3 in production, 1 where there is one server. */
  readonly streamReplicas?: number;
  /** The service that the process belongs to, whose streams it keeps in existence. Without one it may create all of them. */
  readonly owner?: StreamOwner;
}

/**
 * The connection of the process, a client for requests, a publisher of messages, and a listener, for every module in it.
 * The process does not start without NATS (`NatsUnreachableError`), and reports `nats` in its readiness, and apart from
 * it whether the server lets the process hear all that it has to.
 */
@Module({})
export class NatsModule {
  static forRoot({ streamReplicas = 1, owner, ...settings }: NatsModuleOptions): DynamicModule {
    const owned = owner && streamsOf(owner);
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
          inject: [NatsLink, Logger],
          useFactory: (link: NatsLink, logger: Logger) =>
            new JetStreamTopology(link, logger, { streams: STREAMS, replicas: streamReplicas, owned }),
        },
        {
          provide: OwnedStreams,
          inject: [NatsLink, JetStreamTopology, Logger],
          useFactory: (link: NatsLink, topology: JetStreamTopology, logger: Logger) =>
            new OwnedStreams({ link, topology, streams: owned ?? [], logger }),
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
