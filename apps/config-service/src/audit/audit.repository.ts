import { type AuditRecord, type ListAuditRequest } from '@loci/contracts';
import { isRefusal, type RowOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { rowsWithin } from '../rows-within.js';
import { APPEND_AUDIT } from './append-audit.sql.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { AUDIT_HORIZON } from './audit-horizon.sql.js';
import { AUDIT_PRIVILEGES } from './audit-privileges.sql.js';
import { endIdOf, firstIdOf } from './id-bound.js';
import { LIST_AUDIT } from './list-audit.sql.js';
import { REMOVE_EXPIRED_AUDIT } from './remove-expired-audit.sql.js';

/** The last record of the chain. */
export interface AuditHead {
  /** Decimal. */
  readonly seq: string;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
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
    await this.unitOfWork.execute(APPEND_AUDIT, [JSON.stringify(records), keepDays]);
  }

  /** Whether an append failed because of what is in its records: it will fail again. */
  isRefused(error: unknown): boolean {
    return isRefusal(error);
  }

  /**
   * One record of each operation, with its outcome if that is known; newest first.
   * @param horizon none is older than this record
   */
  async list(request: ListAuditRequest, horizon?: string): Promise<AuditRecord[]> {
    const { within, actor, operation, resource, since, until, before, limit } = request;
    const conditions = [within.orgId, within.projectId, actor, operation, resource, since, until, before];
    const [first, end] = idsOf(request);
    const values = [...conditions, limit, horizon ?? first, end];
    const rows = await this.unitOfWork.execute(LIST_AUDIT, values, { scope: rowsWithin(within) });
    return rows.map(toRecord);
  }

  /** The oldest record that a list should look at, lest one that finds little reads everything; undefined: any. */
  async horizon(request: ListAuditRequest): Promise<string | undefined> {
    const { within, before, actor, operation, resource } = request;
    // every record that it reads is on the page otherwise
    if (actor === undefined && operation === undefined && resource === undefined) return undefined;
    const values = [within.orgId, within.projectId, ...idsOf(request), before];
    const [row] = await this.unitOfWork.execute(AUDIT_HORIZON, values, { scope: rowsWithin(within) });
    return row?.id;
  }

  /**
   * Removes the longest beginning of the chain of which every record is expired, and appends which one it was.
   * @param keepDays of the record that says so
   * @returns how many were removed, `limit` at most
   */
  async removeExpired(keepDays: number, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.execute(REMOVE_EXPIRED_AUDIT, [uuidv7(), keepDays, limit]);
    return row?.removed ?? 0;
  }

  async head(): Promise<AuditHead> {
    const { seq, hash } = await this.unitOfWork.single((manager) =>
      manager.findOneByOrFail(AuditHeadEntity, { one: true }),
    );
    return { seq, hash: hash.toString('hex') };
  }

  /** Whether the login of this service may do more to records than to append them. */
  async canBeChanged(): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(AUDIT_PRIVILEGES, [`${SCHEMA}.audit`]);
    return row?.allowed ?? true;
  }
}

const idsOf = ({ since, until }: ListAuditRequest): [first: string | undefined, end: string | undefined] => [
  since === undefined ? undefined : firstIdOf(since),
  until === undefined ? undefined : endIdOf(until),
];

const toRecord = (row: RowOf<typeof LIST_AUDIT.row>): AuditRecord => ({
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
