import { CONSUMERS, JetStreamTopology, NatsLink, NatsModule, StreamMaker, STREAMS } from '@loci/messaging';
import { HealthChecks, Logger, Metrics, PlatformModule } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { type StreamsEnv } from './env.js';

/** The whole process: it hears no requests, and reads no messages. */
@Module({})
export class WorkerModule {
  static forRoot(env: StreamsEnv, service: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
        NatsModule.forRoot({
          url: env.NATS_URL,
          name: service,
          streamReplicas: env.NATS_STREAM_REPLICAS,
        }),
      ],
      providers: [
        {
          provide: StreamMaker,
          inject: [NatsLink, JetStreamTopology, HealthChecks, Logger, Metrics],
          useFactory: (
            link: NatsLink,
            topology: JetStreamTopology,
            health: HealthChecks,
            logger: Logger,
            metrics: Metrics,
          ): StreamMaker => {
            const maker = new StreamMaker({
              link,
              topology,
              streams: STREAMS,
              consumers: CONSUMERS,
              logger,
              metrics,
            });
            health.register('streams and consumers', () => maker.isComplete);
            return maker;
          },
        },
      ],
    };
  }
}
