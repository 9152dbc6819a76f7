import { randomUUID } from 'node:crypto';
import { type RequestScope } from '@loci/platform';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

const REQUEST_ID = 'x-request-id';
const DEADLINE = 'x-deadline-ms';
const TRACEPARENT = 'traceparent';

/** What travels beside a body, by header name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The request that a message belongs to, as header fields. The deadline stays behind: stored messages have none. */
export function scopeFields(scope: RequestScope | undefined): HeaderFields {
  return {
    ...(scope && { [REQUEST_ID]: scope.requestId }),
    ...(scope?.traceparent !== undefined && { [TRACEPARENT]: scope.traceparent }),
  };
}

export const deadlineField = (deadlineMs: number): HeaderFields => ({ [DEADLINE]: String(deadlineMs) });

export function toHeaders(fields: HeaderFields): MsgHdrs {
  const result = headers();
  for (const [name, value] of Object.entries(fields)) result.set(name, value);
  return result;
}

/** The request that a message belongs to; one that names none begins a request of its own. */
export function readScope(from: MsgHdrs | undefined): RequestScope {
  const deadlineMs = Number(from?.get(DEADLINE));
  const traceparent = from?.get(TRACEPARENT);
  return {
    requestId: from?.get(REQUEST_ID) || randomUUID(),
    ...(deadlineMs > 0 && { deadlineMs }),
    ...(traceparent && { traceparent }),
  };
}
