import { type DynamicModule, Module } from '@nestjs/common';
import { Logger, Metrics, OrganizationTurns } from '@loci/platform';
import { NatsLink } from '../connection/nats-link.js';
import { DrainingNatsServer, type RpcServerOptions } from './draining-nats.server.js';
import { RequestAnswerer } from './request-answerer.js';

const DEFAULT_READS_AT_ONCE = 16;
/** How much of them the requests of one organization may have. */
const READ_SHARE = 0.5;
const READ_WAIT_MS = 5_000;

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
          useFactory: (link: NatsLink, logger: Logger, metrics: Metrics) => {
            const total = options.readsAtOnce ?? DEFAULT_READS_AT_ONCE;
            const turns = new OrganizationTurns({ total, share: READ_SHARE, waitMs: READ_WAIT_MS });
            return new DrainingNatsServer(link, new RequestAnswerer(logger, metrics, turns), options);
          },
        },
      ],
      exports: [DrainingNatsServer],
    };
  }
}
