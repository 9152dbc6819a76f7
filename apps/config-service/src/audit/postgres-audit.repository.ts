import { type ActorKind, type AuditRecord, type ListAuditRequest } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { rowsWithin } from '../rows-within.js';
import { AuditRepository } from './audit.repository.js';

const AUDIT = `${SCHEMA}.audit`;

const COLUMNS =
  'id, at, request_id, actor_kind, actor, operation, org_id, project_id, resources, status, code';

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly request_id: string;
  readonly actor_kind: ActorKind;
  readonly actor: string;
  readonly operation: string;
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly resources: string[];
  readonly status: number | null;
  readonly code: string | null;
}

@Injectable()
export class PostgresAuditRepository extends AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async add(records: readonly AuditRecord[]): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO ${AUDIT} (${COLUMNS})
         SELECT id, at, "requestId", "actorKind", actor, operation, "orgId", "projectId", resources, status, code
         FROM jsonb_to_recordset($1::jsonb) AS given(
           id uuid, at timestamptz, "requestId" text, "actorKind" text, actor text, operation text, "orgId" text,
           "projectId" text, resources text[], status int, code text)
         ON CONFLICT (id) DO UPDATE SET resources = excluded.resources, status = excluded.status, code = excluded.code
         WHERE audit.status IS NULL AND excluded.status IS NOT NULL`,
          [JSON.stringify(latest(records))],
        ),
      ROWS_OF_ALL,
    );
  }

  override async list(request: ListAuditRequest): Promise<AuditRecord[]> {
    const { within, actor, operation, resource, since, until, before, limit } = request;
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<Row[]>(
          `SELECT ${COLUMNS} FROM ${AUDIT}
         WHERE ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
           AND ($3::text IS NULL OR actor = $3) AND ($4::text IS NULL OR operation = $4)
           AND ($5::text IS NULL OR $5 = ANY(resources))
           AND ($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)
           AND ($8::uuid IS NULL OR id < $8)
         ORDER BY id DESC LIMIT $9`,
          [within.orgId, within.projectId, actor, operation, resource, since, until, before, limit],
        ),
      rowsWithin(within),
    );
    return rows.map(toRecord);
  }

  override async removeOlderThan(days: number, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ removed: number }[]>(
          `WITH removed AS (
           DELETE FROM ${AUDIT} WHERE id IN (
             SELECT id FROM ${AUDIT} WHERE at < now() - make_interval(days => $1) LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING id)
         SELECT count(*)::int AS removed FROM removed`,
          [days, limit],
        ),
      ROWS_OF_ALL,
    );
    return row?.removed ?? 0;
  }
}

/** Of several records of one request the first that knows its outcome. */
function latest(records: readonly AuditRecord[]): AuditRecord[] {
  const byId = new Map<string, AuditRecord>();
  for (const record of records) {
    if (byId.get(record.id)?.status === undefined) byId.set(record.id, record);
  }
  return [...byId.values()];
}

const toRecord = (row: Row): AuditRecord => ({
  id: row.id,
  at: row.at.toISOString(),
  requestId: row.request_id,
  actorKind: row.actor_kind,
  actor: row.actor,
  operation: row.operation,
  orgId: row.org_id ?? undefined,
  projectId: row.project_id ?? undefined,
  resources: row.resources,
  status: row.status ?? undefined,
  code: row.code ?? undefined,
});
