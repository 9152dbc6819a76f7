import { RpcServerModule } from '@loci/messaging';
import { OutboxRelayModule } from '@loci/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CoreModule } from './core.module.js';
import { type ConfigServiceEnv } from './env.js';
import { HealthController } from './health/health.controller.js';
import { ProjectsModule } from './projects/projects.module.js';

/** The one process of this service: its work is too little for a worker of its own. */
@Module({})
export class ApiModule {
  static forRoot(env: ConfigServiceEnv, service: string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        CoreModule.forRoot(env, service),
        RpcServerModule.forRoot({ queue: 'config' }),
        OutboxRelayModule,
        ProjectsModule,
        ApiKeysModule,
        AuditModule,
      ],
      controllers: [HealthController],
    };
  }
}
