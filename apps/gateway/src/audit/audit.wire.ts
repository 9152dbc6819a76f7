import { ACTOR_KINDS, type AuditRecord, type ListAuditRequest } from '@loci/contracts';
import { byDefault, filledText, integer, optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { identifier } from '../wire/schema/identifier.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { uuid } from '../wire/schema/uuid.js';

export class ListAuditQuery extends request('ListAuditQuery', {
  org_id: optional(identifier),
  project_id: optional(identifier),

  /** The id of an API key, the subject of a JWT, or the name of a token of the deployment. */
  actor: optional(filledText('MAX_LABEL_CHARS')),

  /** As records have it, for example `POST /api/v2/memories`. */
  operation: optional(filledText('MAX_LABEL_CHARS')),
  resource: optional(filledText('MAX_LABEL_CHARS')),

  /** The first instant, and the first one that is too late. */
  since: optional(moment),
  until: optional(moment),

  /** The header `x-next-cursor` of the page before. */
  cursor: optional(uuid),
  page_size: byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100),
}) {}

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

const auditRecordAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    at: instantText,
    request_id: Type.String(),
    actor_kind: Type.Enum([...ACTOR_KINDS]),
    actor: Type.String(),
    actor_org_id: nullable(
      Type.String({ description: 'The organization that the actor is bound to; null = the deployment.' }),
    ),
    client_address: nullable(
      Type.String({ description: 'Of the client, as far as the proxies in between are trusted.' }),
    ),
    operation: Type.String({ description: 'Method and route, or the name of a tool of MCP.' }),
    org_id: nullable(Type.String()),
    project_id: nullable(Type.String()),
    resources: Type.Array(Type.String(), { description: 'The ids that the request named or created.' }),
    resource_count: Type.Integer({ description: 'How many ids there were; `resources` has the first ones.' }),
    status: nullable(
      Type.Integer({
        description:
          'Of the answer; 499 when the client was gone, null when the gateway ended before it was known.',
      }),
    ),
    code: nullable(Type.String({ description: 'The slug of a refusal.' })),
  },
  { title: 'AuditRecord' },
);
export type AuditRecordAnswer = Static<typeof auditRecordAnswer>;
export const auditListAnswer = Type.Array(auditRecordAnswer);

export const fromAuditRecord = (record: AuditRecord): AuditRecordAnswer => ({
  id: record.id,
  at: record.at,
  request_id: record.requestId,
  actor_kind: record.actorKind,
  actor: record.actor,
  actor_org_id: record.actorOrgId ?? null,
  client_address: record.clientAddress ?? null,
  operation: record.operation,
  org_id: record.orgId ?? null,
  project_id: record.projectId ?? null,
  resources: [...record.resources],
  resource_count: record.resourceCount ?? record.resources.length,
  status: record.status ?? null,
  code: record.code ?? null,
});
