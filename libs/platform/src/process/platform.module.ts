import { type DynamicModule, Module } from '@nestjs/common';
import { HealthChecks } from '../health/health-checks.js';
import { ProbeServer } from '../health/probe-server.js';
import { Logger } from '../logging/logger.js';
import { type LogLevel, PinoLogger } from '../logging/pino-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { Tracing } from '../tracing/tracing.js';

export interface PlatformOptions {
  readonly service: string;
  readonly level: LogLevel;
}

/** Log, metrics, health and traces of the process, for every module in it. */
@Module({})
export class PlatformModule {
  static forRoot({ service, level }: PlatformOptions): DynamicModule {
    const logger = new PinoLogger({ service, level });
    const metrics = new Metrics(service);
    const health = new HealthChecks();
    metrics.collectProcessMetrics();
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: Logger, useValue: logger },
        { provide: Metrics, useValue: metrics },
        { provide: HealthChecks, useValue: health },
        { provide: ProbeServer, useValue: new ProbeServer(health, metrics) },
        { provide: Tracing, useFactory: () => Tracing.start(service) },
      ],
      exports: [Logger, Metrics, HealthChecks, ProbeServer],
    };
  }
}
