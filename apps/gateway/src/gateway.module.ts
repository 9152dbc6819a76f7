import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { DocsController } from './docs/docs.controller.js';
import { GatewayEnv } from './env.js';
import { EpisodicSettingsController } from './episodic-settings/episodic-settings.controller.js';
import { EnvTokenVerifier } from './hosted/env-token-verifier.js';
import { TokenVerifier } from './hosted/token-verifier.js';
import { McpController } from './mcp/mcp.controller.js';
import { McpTools } from './mcp/mcp-tools.js';
import { MemorySearch } from './memories/memory-search.js';
import { MemoriesController } from './memories/memories.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { HealthController } from './system/health.controller.js';
import { MetricsController } from './system/metrics.controller.js';
import { ProbesController } from './system/probes.controller.js';
import { ServicesHealth } from './system/services-health.js';
import { ProjectExport } from './transfer/project-export.js';
import { ProjectImport } from './transfer/project-import.js';
import { TransferController } from './transfer/transfer.controller.js';
import { ErrorFilter } from './wire/errors/error.filter.js';
import { WireBodyPipe } from './wire/wire-body.pipe.js';

/** Every route of the public API. Needs a global RpcClient, Logger, Metrics and HealthChecks. */
@Module({})
export class GatewayModule {
  static forRoot(env: GatewayEnv): DynamicModule {
    return {
      module: GatewayModule,
      imports: [DiscoveryModule],
      controllers: [
        ProjectsController,
        MemoriesController,
        EpisodicSettingsController,
        HealthController,
        ProbesController,
        MetricsController,
        TransferController,
        McpController,
        DocsController,
      ],
      providers: [
        { provide: GatewayEnv, useValue: env },
        { provide: TokenVerifier, useValue: new EnvTokenVerifier(env.HOSTED_TOKENS) },
        { provide: APP_PIPE, useClass: WireBodyPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
        ServicesHealth,
        MemorySearch,
        McpTools,
        ProjectExport,
        ProjectImport,
      ],
    };
  }
}
