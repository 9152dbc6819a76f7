import { NatsModule } from '@loci/messaging';
import { PlatformModule } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { GatewayEnv } from './env.js';
import { GatewayModule } from './gateway.module.js';

/** The whole process: the routes, on the platform and the connection that they need. */
@Module({})
export class ApiModule {
  static forRoot(env: GatewayEnv): DynamicModule {
    const name = env.SERVICE_NAME ?? 'gateway';
    return {
      module: ApiModule,
      imports: [
        PlatformModule.forRoot({ service: name, level: env.LOG_LEVEL }),
        NatsModule.forRoot({ url: env.NATS_URL, name, findsStreams: true }),
        GatewayModule.forRoot(env),
      ],
    };
  }
}
