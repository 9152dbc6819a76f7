import { type AuditRecord } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { AuditRepository } from './audit.repository.js';

interface Append {
  readonly records: readonly AuditRecord[];
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Records that one statement appends at most, unless one caller brings more: each leaves a version of the end of the chain,
 * which those behind it in the same transaction pass.
 */
export const MAX_RECORDS = 500;

/**
 * Appends to the audit for everyone in this process. The chain has one end, so one statement appends at a time; what comes
 * meanwhile shares the next one. The chain then costs a commit per statement and not per record.
 */
@Injectable()
export class AuditLog {
  private readonly waiting: Append[] = [];
  private isAppending = false;

  constructor(
    private readonly env: ConfigServiceEnv,
    private readonly repository: AuditRepository,
  ) {}

  /**
   * Resolves when the records are stored, all of them.
   * @throws AppError `database_unavailable`; what PostgreSQL says of a record that it refuses
   */
  append(records: readonly AuditRecord[]): Promise<void> {
    return new Promise((stored, failed) => {
      this.waiting.push({ records, stored, failed });
      if (!this.isAppending) void this.appendWaiting();
    });
  }

  private async appendWaiting(): Promise<void> {
    this.isAppending = true;
    while (this.waiting.length > 0) await this.appendTogether(this.nextGroup());
    this.isAppending = false;
  }

  private nextGroup(): readonly Append[] {
    let records = 0;
    const end = this.waiting.findIndex((append, index) => {
      records += append.records.length;
      return index > 0 && records > MAX_RECORDS;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  /** What is refused of one caller does not fail the others: then each is appended alone. */
  private async appendTogether(group: readonly Append[]): Promise<void> {
    try {
      await this.store(group.flatMap(({ records }) => records));
      for (const { stored } of group) stored();
    } catch (error) {
      if (group.length > 1 && this.repository.isRefused(error)) {
        for (const append of group) await this.appendTogether([append]);
      } else for (const { failed } of group) failed(error);
    }
  }

  private store(records: readonly AuditRecord[]): Promise<void> {
    return this.repository.append(records, this.env.AUDIT_RETENTION_DAYS);
  }
}
