import { type ActorKind, type AuditRecord, type ListAuditRequest } from '@loci/contracts';
import { isRefusal, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { rowsWithin } from '../rows-within.js';

/** The last record of the chain. */
export interface AuditHead {
  /** Decimal. */
  readonly seq: string;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

const AUDIT = `${SCHEMA}.audit`;

const COLUMNS = `id, at, request_id, client_address, actor_kind, actor, actor_org_id, operation, org_id, project_id,
  resources, resource_count, status, code`;

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly request_id: string;
  readonly client_address: string | null;
  readonly actor_kind: ActorKind;
  readonly actor: string;
  readonly actor_org_id: string | null;
  readonly operation: string;
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly resources: string[];
  readonly resource_count: number;
  readonly status: number | null;
  readonly code: string | null;
}

/** Where the audit is kept: a chain to which records are appended, and which loses only its expired beginning. */
@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * All of them or none. The beginning of an operation and its outcome are two records; one that is there already is left
   * out, and so is a beginning whose outcome is there.
   * @param keepDays after which they may be removed, and not before
   */
  async append(records: readonly AuditRecord[], keepDays: number): Promise<void> {
    await this.unitOfWork.single((manager) =>
      manager.query(`SELECT ${SCHEMA}.append_audit($1::jsonb, make_interval(days => $2))`, [
        JSON.stringify(records),
        keepDays,
      ]),
    );
  }

  /** Whether an append failed because of what is in its records: it will fail again. */
  isRefused(error: unknown): boolean {
    return isRefusal(error);
  }

  /** One record of each operation, with its outcome if that is known; newest first. */
  async list(request: ListAuditRequest): Promise<AuditRecord[]> {
    const { within, actor, operation, resource, since, until, before, limit } = request;
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<Row[]>(
          `SELECT ${COLUMNS} FROM ${AUDIT}
         WHERE (status IS NOT NULL OR NOT EXISTS (
             SELECT FROM ${AUDIT} outcome WHERE outcome.id = audit.id AND outcome.status IS NOT NULL))
           AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
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

  /**
   * Removes the longest beginning of the chain of which every record is expired, and appends which one it was.
   * @param keepDays of the record that says so
   * @returns how many were removed, `limit` at most
   */
  async removeExpired(keepDays: number, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.single((manager) =>
      manager.query<{ removed: number }[]>(
        `SELECT ${SCHEMA}.remove_expired_audit($1, make_interval(days => $2), $3) AS removed`,
        [uuidv7(), keepDays, limit],
      ),
    );
    return row?.removed ?? 0;
  }

  async head(): Promise<AuditHead> {
    const [row] = await this.unitOfWork.single((manager) =>
      manager.query<AuditHead[]>(
        `SELECT seq::text AS seq, encode(hash, 'hex') AS hash FROM ${SCHEMA}.audit_head`,
      ),
    );
    if (!row) throw new Error('The chain of the audit has no head.');
    return row;
  }

  /** Whether the login of this service may do more to records than to append them. */
  async canBeChanged(): Promise<boolean> {
    const [row] = await this.unitOfWork.single((manager) =>
      manager.query<{ allowed: boolean }[]>(
        `SELECT has_table_privilege($1, 'UPDATE') OR has_table_privilege($1, 'DELETE')
           OR has_table_privilege($1, 'TRUNCATE') AS allowed`,
        [AUDIT],
      ),
    );
    return row?.allowed ?? true;
  }
}

const toRecord = (row: Row): AuditRecord => ({
  id: row.id,
  at: row.at.toISOString(),
  requestId: row.request_id,
  clientAddress: row.client_address ?? undefined,
  actorKind: row.actor_kind,
  actor: row.actor,
  actorOrgId: row.actor_org_id ?? undefined,
  operation: row.operation,
  orgId: row.org_id ?? undefined,
  projectId: row.project_id ?? undefined,
  resources: row.resources,
  resourceCount: row.resource_count,
  status: row.status ?? undefined,
  code: row.code ?? undefined,
});
