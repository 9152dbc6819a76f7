import { randomUUID } from 'node:crypto';
import { Author } from '@loci/contracts';
import { currentTraceparent, type RequestScope } from '@loci/platform';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { parseShape } from './shape/parse-shape.js';

const REQUEST_ID = 'x-request-id';
const DEADLINE = 'x-deadline-ms';
const TRACEPARENT = 'traceparent';
const AUTHOR = 'x-author';
/** Of a message that several requests share: the `traceparent`s of all of them, separated by commas. */
export const TRACE_LINKS = 'x-trace-links';

/** What travels beside a body, by header name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The request that a message belongs to, as header fields. The deadline stays behind: stored messages have none. */
export function scopeFields(scope: RequestScope | undefined): HeaderFields {
  const traceparent = currentTraceparent() ?? scope?.traceparent;
  return {
    ...(scope && { [REQUEST_ID]: scope.requestId }),
    ...traceField(traceparent),
  };
}

export const traceField = (traceparent: string | undefined): HeaderFields =>
  traceparent === undefined ? {} : { [TRACEPARENT]: traceparent };

/** Where in which traces a message comes from: the one that it belongs to first. */
export function tracesOf(fields: HeaderFields): {
  readonly parent: string | undefined;
  readonly links: string[];
} {
  const parent = fields[TRACEPARENT];
  const links = (fields[TRACE_LINKS] ?? '').split(',').filter((link) => link !== '' && link !== parent);
  return { parent, links };
}

/** The header fields of a message that are about its trace. */
export const traceFieldsOf = (from: MsgHdrs | undefined): HeaderFields => ({
  ...traceField(from?.get(TRACEPARENT) || undefined),
  ...(from?.has(TRACE_LINKS) && { [TRACE_LINKS]: from.get(TRACE_LINKS) }),
});

/** The `traceparent`s of all that caused a message. */
export function causesOf(from: MsgHdrs | undefined): string[] {
  const { parent, links } = tracesOf(traceFieldsOf(from));
  return parent === undefined ? links : [parent, ...links];
}

export const deadlineField = (deadlineMs: number): HeaderFields => ({ [DEADLINE]: String(deadlineMs) });

/** In base64, because names are any text. It stays with requests: stored messages have none. */
export const authorField = (author: Author | undefined): HeaderFields =>
  author ? { [AUTHOR]: Buffer.from(JSON.stringify(author)).toString('base64url') } : {};

function authorIn(from: MsgHdrs | undefined): Author | undefined {
  const field = from?.get(AUTHOR);
  if (!field) return undefined;
  const author: unknown = JSON.parse(Buffer.from(field, 'base64url').toString());
  const { kind, id, name, producer } = parseShape(Author, author);
  return { kind, id, ...(name !== undefined && { name }), ...(producer !== undefined && { producer }) };
}

export function toHeaders(fields: HeaderFields): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(fields)) result.set(name, value);
  return result;
}

/**
 * The request that a message belongs to; one that names none begins a request of its own.
 * @throws when it names an author that is none
 */
export function readScope(from: MsgHdrs | undefined): RequestScope {
  const deadlineMs = Number(from?.get(DEADLINE));
  const traceparent = from?.get(TRACEPARENT);
  const author = authorIn(from);
  return {
    requestId: from?.get(REQUEST_ID) || randomUUID(),
    ...(deadlineMs > 0 && { deadlineMs }),
    ...(traceparent && { traceparent }),
    ...(author && { author }),
  };
}
