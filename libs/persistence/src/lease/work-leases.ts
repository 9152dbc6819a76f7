import { Inject, Injectable } from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { addWorkLease } from './add-work-lease.sql.js';
import { claimWorkLease } from './claim-work-lease.sql.js';
import { endWorkLease } from './end-work-lease.sql.js';
import { findSetAsideWork } from './find-set-aside-work.sql.js';
import { type LeaseClaim, type LeaseStore } from './lease-claim.js';
import { renewWorkLease } from './renew-work-lease.sql.js';
import { retryWork } from './retry-work.sql.js';
import { takeBackWork } from './take-back-work.sql.js';

export interface WorkClaim extends LeaseClaim {
  readonly kind: string;
}

/** Leases of work that has no row of its own: its kind, and what it is about, name it. */
@Injectable()
export class WorkLeases implements LeaseStore<WorkClaim> {
  private readonly schema: string;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) { schema }: Pick<PersistenceOptions, 'schema'>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.schema = schema;
  }

  /** @returns undefined when another worker has the claim, or the work was set aside */
  async claim(kind: string, key: string, leaseMs: number): Promise<WorkClaim | undefined> {
    await this.unitOfWork.execute(addWorkLease(this.schema), [kind, key]);
    const [row] = await this.unitOfWork.execute(claimWorkLease(this.schema), [kind, key, leaseMs]);
    return row && { kind, key, ...row };
  }

  async renew({ kind, key, token }: WorkClaim, leaseMs: number): Promise<boolean> {
    const rows = await this.unitOfWork.execute(renewWorkLease(this.schema), [kind, key, token, leaseMs]);
    return rows.length > 0;
  }

  async takeBack({ kind, key, token, unfinished }: WorkClaim): Promise<void> {
    await this.unitOfWork.execute(takeBackWork(this.schema), [kind, key, token, unfinished]);
  }

  /** The attempt ended in an orderly way. A claim that is lost changes nothing. */
  async end({ kind, key, token }: WorkClaim): Promise<void> {
    await this.unitOfWork.execute(endWorkLease(this.schema), [kind, key, token]);
  }

  async isSetAside(kind: string, key: string): Promise<boolean> {
    return (await this.unitOfWork.execute(findSetAsideWork(this.schema), [kind, key])).length > 0;
  }

  /** Lets work begin again that was set aside: a person asked. */
  async retry(kind: string, key: string): Promise<void> {
    await this.unitOfWork.execute(retryWork(this.schema), [kind, key]);
  }
}
