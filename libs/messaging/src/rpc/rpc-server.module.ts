import { type DynamicModule, Module } from '@nestjs/common';
import { Logger, Metrics } from '@loci/platform';
import { NatsLink } from '../connection/nats-link.js';
import { DrainingNatsServer, type RpcServerOptions } from './draining-nats.server.js';
import { RequestAnswerer } from './request-answerer.js';

/**
 * The server side of operations, for a process that has controllers with `@Handle`. It is the strategy of a Nest
 * microservice:
 * `NestFactory.createMicroservice(ApiModule, { inject: [DrainingNatsServer], useFactory: (strategy) => ({ strategy }) })`
 */
@Module({})
export class RpcServerModule {
  static forRoot(options: RpcServerOptions): DynamicModule {
    return {
      module: RpcServerModule,
      global: true,
      providers: [
        {
          provide: DrainingNatsServer,
          inject: [NatsLink, Logger, Metrics],
          useFactory: (link: NatsLink, logger: Logger, metrics: Metrics) =>
            new DrainingNatsServer(link, new RequestAnswerer(logger, metrics), options),
        },
      ],
      exports: [DrainingNatsServer],
    };
  }
}
