import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { LOG_LEVELS, type LogLevel } from '../logging/pino-logger.js';

/** Settings that every process of ours understands. */
export class ProcessEnv {
  /** The name of the process in logs, metrics and connection lists. */
  @IsOptional()
  @IsString()
  SERVICE_NAME?: string;

  /** The least severe level that is logged. */
  @IsIn(LOG_LEVELS)
  LOG_LEVEL: LogLevel = 'info';

  /** Where the spans go: the base URL of an OTLP/HTTP collector, such as `http://collector:4318`. Absent = no tracing. */
  @IsOptional()
  @IsString()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
}

/** Settings of a process that serves its probes on a port of their own. */
export class ProbedProcessEnv extends ProcessEnv {
  /** Port of `/health/live`, `/health/ready` and `/metrics`; 0 picks a free one. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  PROBE_PORT: number = 9090;

  /** Address that `PROBE_PORT` is opened on. */
  @IsString()
  PROBE_HOST: string = '127.0.0.1';
}
