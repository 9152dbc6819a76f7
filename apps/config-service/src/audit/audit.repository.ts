import { type AuditRecord, type ListAuditRequest } from '@loci/contracts';

/** Where the audit is kept. */
export abstract class AuditRepository {
  /** Records that are there already stay as they are, but for the outcome of one that had none. */
  abstract add(records: readonly AuditRecord[]): Promise<void>;

  /** Newest first. */
  abstract list(request: ListAuditRequest): Promise<AuditRecord[]>;

  /** @returns how many were removed, `limit` at most */
  abstract removeOlderThan(days: number, limit: number): Promise<number>;
}
