import { MAX_UNFINISHED } from '@loci/platform';

/** Where a table keeps the leases of its rows. */
export interface LeaseColumns {
  /** `timestamptz`: when the lease ends; null while the row has no owner. */
  readonly until: string;
  /**
   * What tells one owner from the next: a counter, a random `uuid`, or, without a column of its own, the end of the lease,
   * which every claim and every renewal changes.
   */
  readonly fence: { readonly column: string; readonly kind: 'counter' | 'uuid' } | 'until';
  /** `integer`, not null: attempts in a row that began and are not known to have ended. */
  readonly unfinished: string;
}

/**
 * SQL of a lease: a row belongs to one worker, its owner, until an instant by the clock of PostgreSQL. An owner renews it
 * while it works; when it does not, another worker may claim the row. Every claim changes the fence, so a statement of a
 * late owner, whose condition names the former fence, changes nothing. A claim locks the row: put `isFree` into the
 * condition of the `UPDATE` itself, or select `FOR UPDATE` before it.
 *
 * A claim also notes that an attempt begins, and what ends the attempt in any orderly way takes the note back. A note that
 * is still there at the next claim is of an attempt that ended with its process.
 *
 * Parameters are numbers of placeholders: milliseconds are `float8`; a fence is what `token` returned with the claim.
 */
export class LeaseSql {
  constructor(private readonly columns: LeaseColumns) {}

  /** Condition: the row has no owner, or one whose lease has run out. */
  get isFree(): string {
    return `(${this.columns.until} IS NULL OR ${this.hasRunOut})`;
  }

  /** Condition that an index on the end of leases can serve: the row has an owner whose lease has run out. */
  get hasRunOut(): string {
    return `${this.columns.until} < clock_timestamp()`;
  }

  /** Assignments of a claim, for so many milliseconds. */
  claimed(msParameter: number): string {
    const { fence } = this.columns;
    if (fence === 'until') return this.renewed(msParameter);
    const next = fence.kind === 'counter' ? `${fence.column} + 1` : 'gen_random_uuid()';
    return `${this.renewed(msParameter)}, ${fence.column} = ${next}`;
  }

  /** Assignments of a renewal, or of a pause in which no worker claims the row, for so many milliseconds. */
  renewed(msParameter: number): string {
    return `${this.columns.until} = clock_timestamp() + $${msParameter}::float8 * interval '1 ms'`;
  }

  /** Assignments that leave the row without an owner. A counter goes on from where it is. */
  get released(): string {
    const { until, fence } = this.columns;
    return `${until} = NULL${fence !== 'until' && fence.kind === 'uuid' ? `, ${fence.column} = NULL` : ''}`;
  }

  /** Condition: the work was not set aside. */
  get mayBegin(): string {
    return `${this.columns.unfinished} < ${MAX_UNFINISHED}`;
  }

  /** Condition: the last attempt that was allowed ended with its process, too. */
  get isSetAside(): string {
    return `(${this.columns.unfinished} >= ${MAX_UNFINISHED} AND ${this.isFree})`;
  }

  /** Assignment, with that of a claim: an attempt begins. */
  get begun(): string {
    return `${this.columns.unfinished} = ${this.columns.unfinished} + 1`;
  }

  /** As `begun`, unless an attempt is unfinished: then the work begins later, when no other is beside it. */
  get begunIfFirst(): string {
    return `${this.columns.unfinished} = greatest(${this.columns.unfinished}, 1)`;
  }

  /** Assignment: a part of the work is done and stored, so that only the attempt at the next part is unfinished. */
  get gotOn(): string {
    return `${this.columns.unfinished} = least(${this.columns.unfinished}, 1)`;
  }

  /** Assignment: the attempt is not counted. The parameter is how many were unfinished before it. */
  takenBack(unfinishedParameter: number): string {
    return `${this.columns.unfinished} = least(${this.columns.unfinished}, $${unfinishedParameter}::int)`;
  }

  /** Assignment, with that of a release or a pause: the attempt ended in an orderly way. */
  get ended(): string {
    return `${this.columns.unfinished} = 0`;
  }

  /** Column of a `RETURNING` of a claim that has begun: attempts before it that ended with their process. */
  get unfinishedBefore(): string {
    return `${this.columns.unfinished} - 1`;
  }

  /** Column of a `RETURNING`: the fence of a claim, or of a renewal, as text. */
  get token(): string {
    return `${this.fenceColumn}::text`;
  }

  /** Condition: no other worker claimed the row after this owner. Its lease may have run out. */
  isOwner(fenceParameter: number): string {
    const { fence } = this.columns;
    const type = fence === 'until' ? 'timestamptz' : fence.kind === 'counter' ? 'bigint' : 'uuid';
    return `${this.fenceColumn} = $${fenceParameter}::${type}`;
  }

  private get fenceColumn(): string {
    const { until, fence } = this.columns;
    return fence === 'until' ? until : fence.column;
  }
}
