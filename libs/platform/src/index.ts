export * from './context/bound-producer.js';
export * from './context/request-context.js';
export * from './env/is-env-boolean.js';
export * from './env/load-env.js';
export * from './health/health-checks.js';
export * from './health/probe-server.js';
export * from './lists/first-within.js';
export * from './lists/parts-within.js';
export * from './lists/in-parts.js';
export * from './logging/logger.js';
export * from './process/isolation.js';
export * from './process/max-unfinished.js';
export * from './process/nest-logger.js';
export * from './logging/pino-logger.js';
export * from './metrics/metrics.js';
export * from './metrics/minutes.js';
export * from './turns/organization-turns.js';
export * from './turns/cost-of-page.js';
export * from './turns/cost-of-filter.js';
export * from './turns/cost-of-query.js';
export * from './net/is-loopback.js';
export * from './process/platform.module.js';
export * from './process/periodic-task.js';
export * from './process/process-env.js';
export * from './process/run-process.js';
export * from './process/start-error.js';
export * from './process/start-worker.js';
export * from './tokens/count-tokens.js';
export * from './version.js';
export * from './tracing/background.js';
export * from './tracing/shared-span.js';
export {
  annotate,
  detached,
  inChildSpan,
  inSpan,
  markFailed,
  openSpan,
  type SpanDescription,
  SpanKind,
  switchSpans,
  within,
} from './tracing/span.js';
export * from './tracing/traceparent.js';
export * from './tracing/tracing.js';
