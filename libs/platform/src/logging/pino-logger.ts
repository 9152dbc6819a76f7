import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { RequestContext } from '../context/request-context.js';
import { currentTraceId } from '../tracing/traceparent.js';
import { LogOutput } from './log-output.js';
import { type LogFields, Logger } from './logger.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines on standard output, each with the service and, inside a request, its id and that of its trace. An `error` field keeps its stack. */
export class PinoLogger extends Logger {
  private readonly pino: Pino;

  constructor(options: { service: string; level: LogLevel; destination?: DestinationStream }) {
    super();
    const settings = {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.errWithCause },
    };
    this.pino = pino(settings, options.destination ?? new LogOutput());
  }

  override debug(message: string, fields?: LogFields): void {
    this.pino.debug(inContext(fields), message);
  }

  override info(message: string, fields?: LogFields): void {
    this.pino.info(inContext(fields), message);
  }

  override warn(message: string, fields?: LogFields): void {
    this.pino.warn(inContext(fields), message);
  }

  override error(message: string, fields?: LogFields): void {
    this.pino.error(inContext(fields), message);
  }
}

function inContext(fields: LogFields = {}): LogFields {
  const request = RequestContext.current();
  const traceId = currentTraceId();
  if (!request && traceId === undefined) return fields;
  return {
    ...(request && { request_id: request.requestId }),
    ...(traceId !== undefined && { trace_id: traceId }),
    ...fields,
  };
}
