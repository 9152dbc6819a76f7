import { RequestContext } from '../context/request-context.js';
import { isSpanContextValid, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** Reads a W3C `traceparent`; undefined when it is none. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;

/** The current span as a `traceparent` header; undefined outside of every span. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span && formatTraceparent(span.spanContext());
}

/** The trace that the current code belongs to, even when another process keeps it. */
export function currentTraceId(): string | undefined {
  const traceparent = currentTraceparent() ?? RequestContext.current()?.traceparent;
  return parseTraceparent(traceparent)?.traceId;
}
