import { ACTOR_KINDS, type AuditRecord, type Instant, type ListAuditRequest } from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { instantText, nullable } from '../wire/answers.js';
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
