import { ACTOR_KINDS, type AuditRecord, type ListAuditRequest } from '@loci/contracts';
import { byDefault, filledText, integer, optional, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { identifier } from '../wire/schema/identifier.js';
import { momentInQuery } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { uuid } from '../wire/schema/uuid.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

export class ListAuditQuery extends request('ListAuditQuery', {
  org_id: described(
    optional(identifier),
    'Only records of this organization. Absent = of all that the caller may see.',
    'acme',
  ),
  project_id: described(
    optional(identifier),
    'Only records of this project, with `org_id`. Absent = of all that the caller may see.',
    'travel-agent',
  ),
  actor: described(
    optional(filledText('MAX_LABEL_CHARS')),
    'Only what this caller did: the id of an API key, the subject of a JWT, or the name of a token of the deployment. Absent: what anybody did.',
  ),
  operation: described(
    optional(filledText('MAX_LABEL_CHARS')),
    'Only this operation, as records have it. Absent: all.',
    'POST /api/v2/memories',
  ),
  resource: described(
    optional(filledText('MAX_LABEL_CHARS')),
    'Only what named or created this id. Absent: all.',
    EXAMPLE_UID,
  ),
  since: described(
    optional(momentInQuery),
    'The first instant; absent: that of the first record. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    '2025-06-01T00:00:00Z',
  ),
  until: described(
    optional(momentInQuery),
    'The first instant that is too late; absent: none is. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    '2025-07-01T00:00:00Z',
  ),
  cursor: described(
    optional(uuid),
    'The header `x-next-cursor` of the page before. Absent = the first page.',
  ),
  page_size: described(
    byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100),
    'Records on a page; it has fewer when they name many ids.',
  ),
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
    id: described(Type.String({ format: 'uuid' }), 'Id of the record.', EXAMPLE_UID),
    at: described(instantText, 'When the request arrived, in UTC.', EXAMPLE_INSTANT),
    request_id: described(Type.String(), 'The header `x-request-id` of the answer.'),
    actor_kind: described(
      Type.Enum([...ACTOR_KINDS]),
      '`api-key`; `user`: a JWT; `static-token`: a token of the deployment; `system`: Loci itself.',
    ),
    actor: described(
      Type.String(),
      'The id of an API key, the subject of a JWT, or the name of a token of the deployment. Absent: what anybody did.',
    ),
    actor_org_id: described(
      nullable(Type.String()),
      'The organization that the actor is bound to; null = the deployment.',
      'acme',
    ),
    client_address: described(
      nullable(Type.String()),
      'Address of the client, as far as the proxies in between are trusted; null where no client asked, and of a client of the deployment for keys of one organization.',
      '203.0.113.7',
    ),
    operation: Type.String({ description: 'Method and route, or the name of a tool of MCP.' }),
    org_id: described(
      nullable(Type.String()),
      'The organization that the request was about; null = none.',
      'acme',
    ),
    project_id: described(
      nullable(Type.String()),
      'The project that the request was about; null = none.',
      'travel-agent',
    ),
    resources: Type.Array(Type.String(), { description: 'The ids that the request named or created.' }),
    resource_count: Type.Integer({ description: 'How many ids there were; `resources` has the first ones.' }),
    status: described(
      nullable(Type.Integer()),
      'HTTP status of the answer; 499 when the client was gone, null when the gateway ended before it was known.',
      200,
    ),
    code: described(nullable(Type.String()), 'The slug of a refusal; null when it was none.'),
  },
  { title: 'AuditRecord' },
);
export type AuditRecordAnswer = Static<typeof auditRecordAnswer>;
export const auditListAnswer = Type.Array(auditRecordAnswer);

/** @param reader whom it is shown to */
export const fromAuditRecord = (record: AuditRecord, reader: Caller): AuditRecordAnswer => ({
  id: record.id,
  at: record.at,
  request_id: record.requestId,
  actor_kind: record.actorKind,
  actor: record.actor,
  actor_org_id: record.actorOrgId ?? null,
  client_address: (isOfDeployment(record) && isBound(reader) ? undefined : record.clientAddress) ?? null,
  operation: record.operation,
  org_id: record.orgId ?? null,
  project_id: record.projectId ?? null,
  resources: [...record.resources],
  resource_count: record.resourceCount ?? record.resources.length,
  status: record.status ?? null,
  code: record.code ?? null,
});

/** Who runs the deployment shows an organization what they did to its things, and not where they sit. */
const isOfDeployment = ({ actorOrgId }: AuditRecord): boolean => actorOrgId === undefined;

const isBound = ({ bounds }: Caller): boolean => bounds.orgId !== undefined;
