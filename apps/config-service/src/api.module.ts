import { RpcServerModule } from '@loci/messaging';
import { OutboxRelayModule } from '@loci/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CoreModule } from './core.module.js';
import { type ConfigServiceEnv } from './env.js';
import { HealthController } from './health/health.controller.js';
import { ConfigurationFileModule } from './configuration-file/configuration-file.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { QuotasModule } from './quotas/quotas.module.js';
import { RegistryModule } from './registry/registry.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

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
        RegistryModule,
        ConfigurationFileModule,
        ProjectsModule,
        ApiKeysModule,
        QuotasModule,
        AuditModule,
        NotificationsModule,
        WebhooksModule,
      ],
      controllers: [HealthController],
    };
  }
}
