import { AppError } from '@loci/contracts';
import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceparent } from './traceparent.js';

export { SpanKind } from '@opentelemetry/api';

export interface SpanDescription {
  readonly kind?: SpanKind;
  /** Never memory text, never a secret. */
  readonly attributes?: Attributes;
  /** The `traceparent` of what caused this, when it came from elsewhere; otherwise the current span is the parent. */
  readonly parent?: string | undefined;
  /** `traceparent`s of further causes. */
  readonly links?: readonly string[];
}

let areOn = false;

/** Called once, by `Tracing`. While spans are off, nothing here does more than call the work. */
export const switchSpans = (state: 'on' | 'off'): void => {
  areOn = state === 'on';
};

/** Does work in a span of its own, which ends with it. A failure is told by its code or its class, never by its message. */
export function inSpan<T>(name: string, description: SpanDescription, work: () => Promise<T>): Promise<T> {
  const span = openSpan(name, description);
  return span ? recorded(span, work) : work();
}

async function recorded<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await within(span, work);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** As `inSpan`, but only as a part of something that is traced: a process that polls would make traces of nothing. */
export function inChildSpan<T>(
  name: string,
  description: SpanDescription,
  work: () => Promise<T>,
): Promise<T> {
  return areOn && trace.getActiveSpan() ? inSpan(name, description, work) : work();
}

/** For what does not end where it begins. The caller ends it. @returns undefined while spans are off */
export function openSpan(name: string, description: SpanDescription): Span | undefined {
  if (!areOn) return undefined;
  const { kind = SpanKind.INTERNAL, attributes = {}, links = [] } = description;
  return trace
    .getTracer('loci')
    .startSpan(name, { kind, attributes, links: links.flatMap(toLink) }, parentContext(description));
}

export const within = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work);

/** Does work that several requests share, so that it belongs to none of them. */
export const detached = <T>(work: () => T): T => (areOn ? context.with(ROOT_CONTEXT, work) : work());

/** Notes on the current span what came of its work. Never memory text, never a secret. */
export const annotate = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes);
};

/** Tells a failure by its code or its class: its message could quote a user. */
export function markFailed(span: Span | undefined, error: unknown): void {
  if (!span) return;
  const type = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

function parentContext(description: SpanDescription): Context {
  if (!('parent' in description)) return context.active();
  const parent = parseTraceparent(description.parent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function toLink(traceparent: string): Link[] {
  const linked = parseTraceparent(traceparent);
  return linked ? [{ context: linked }] : [];
}
