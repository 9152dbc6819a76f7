import { type AuditRecord, type Instant, type ListAuditRequest } from '@loci/contracts';
import { type Caller } from '../access/caller.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { integer, moment } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, identifier, uuid } from '../wire/reading/text.js';

export class ListAuditQuery {
  @Wire(identifier, { optional: true })
  readonly org_id?: string | undefined;

  @Wire(identifier, { optional: true })
  readonly project_id?: string | undefined;

  /** The id of an API key, the subject of a JWT, or the name of a token of the deployment. */
  @Wire(filledText('MAX_LABEL_CHARS'), { optional: true })
  readonly actor?: string | undefined;

  /** As records have it, for example `POST /api/v2/memories`. */
  @Wire(filledText('MAX_LABEL_CHARS'), { optional: true })
  readonly operation?: string | undefined;

  @Wire(filledText('MAX_LABEL_CHARS'), { optional: true })
  readonly resource?: string | undefined;

  /** The first instant, and the first one that is too late. */
  @Wire(moment, { optional: true })
  readonly since?: Instant | undefined;

  @Wire(moment, { optional: true })
  readonly until?: Instant | undefined;

  /** The header `x-next-cursor` of the page before. */
  @Wire(uuid, { optional: true })
  readonly cursor?: string | undefined;

  @Wire(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), { default: 100 })
  readonly page_size!: number;
}

export const toListAudit = (query: ListAuditQuery, caller: Caller): ListAuditRequest => ({
  within: boundsFrom(query, caller),
  actor: query.actor,
  operation: query.operation,
  resource: query.resource,
  since: query.since,
  until: query.until,
  before: query.cursor,
  limit: query.page_size,
});

export const fromAuditRecord = (record: AuditRecord): object => ({
  id: record.id,
  at: record.at,
  request_id: record.requestId,
  actor_kind: record.actorKind,
  actor: record.actor,
  operation: record.operation,
  org_id: record.orgId ?? null,
  project_id: record.projectId ?? null,
  resources: record.resources,
  status: record.status,
  code: record.code ?? null,
});
