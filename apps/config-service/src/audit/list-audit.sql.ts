import { type ActorKind } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

const AUDIT = `${SCHEMA}.audit`;

/**
 * One record of each operation, with its outcome if that is known; newest first.
 * Parameters, null = any: organization, project, actor, operation, resource, not before, before, older than this record;
 * how many; and null = any: not older than this record, older than this id.
 */
export const LIST_AUDIT = sql({
  text: `SELECT id, at, request_id, client_address, actor_kind, actor, actor_org_id, operation, org_id, project_id,
                resources, resource_count, status, code
         FROM ${AUDIT}
         WHERE (status IS NOT NULL OR NOT EXISTS (
             SELECT FROM ${AUDIT} outcome WHERE outcome.id = audit.id AND outcome.status IS NOT NULL))
           AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
           AND ($3::text IS NULL OR actor = $3) AND ($4::text IS NULL OR operation = $4)
           AND ($5::text IS NULL OR $5 = ANY(resources))
           AND ($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)
           AND ($8::uuid IS NULL OR id < $8) AND ($10::uuid IS NULL OR id >= $10) AND ($11::uuid IS NULL OR id < $11)
         ORDER BY id DESC LIMIT $9`,
  row: {
    id: 'uuid',
    at: 'timestamptz',
    request_id: 'text',
    client_address: 'text?',
    actor_kind: narrowed<ActorKind>('text'),
    actor: 'text',
    actor_org_id: 'text?',
    operation: 'text',
    org_id: 'text?',
    project_id: 'text?',
    resources: 'text[]',
    resource_count: 'int4',
    status: 'int4?',
    code: 'text?',
  },
});
