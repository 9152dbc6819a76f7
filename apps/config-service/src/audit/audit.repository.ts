import { type AuditRecord, type ListAuditRequest } from '@loci/contracts';

/** The last record of the chain. */
export interface AuditHead {
  /** Decimal. */
  readonly seq: string;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

/** Where the audit is kept: a chain to which records are appended, and which loses only its expired beginning. */
export abstract class AuditRepository {
  /**
   * All of them or none. The beginning of an operation and its outcome are two records; one that is there already is left
   * out, and so is a beginning whose outcome is there.
   * @param keepDays after which they may be removed, and not before
   */
  abstract append(records: readonly AuditRecord[], keepDays: number): Promise<void>;

  /** Whether an append failed because of what is in its records: it will fail again. */
  abstract isRefused(error: unknown): boolean;

  /** One record of each operation, with its outcome if that is known; newest first. */
  abstract list(request: ListAuditRequest): Promise<AuditRecord[]>;

  /**
   * Removes the longest beginning of the chain of which every record is expired, and appends which one it was.
   * @param keepDays of the record that says so
   * @returns how many were removed, `limit` at most
   */
  abstract removeExpired(keepDays: number, limit: number): Promise<number>;

  abstract head(): Promise<AuditHead>;

  /** Whether the login of this service may do more to records than to append them. */
  abstract canBeChanged(): Promise<boolean>;
}
