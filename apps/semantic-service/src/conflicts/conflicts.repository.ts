import { MAX_ANSWER_BYTES } from '@loci/contracts';
import { rowsWithin, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { toFeature } from '../features/feature-rows.js';
import { type Feature } from '../features/feature.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { CONFLICTING_FEATURES } from './conflicting-features.sql.js';
import { conflictsOf } from './conflicts-of.sql.js';
import { listConflicts } from './list-conflicts.sql.js';

/** Which conflicts are listed. */
export interface WantedConflicts {
  readonly setUid: string | undefined;
  readonly subject: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Features that contradict each other, as they are found whenever that is asked. What a scope does not show is not there. */
@Injectable()
export class ConflictsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * The features of each conflict, oldest first; `total` counts all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  async list(
    scope: Scope,
    { setUid, subject, offset, limit }: WantedConflicts,
  ): Promise<{ conflicts: Feature[][]; total: number }> {
    const inScope = { scope: rowsIn(scope) };
    const values = [scope.orgId, scope.projectUid, setUid, subject, limit, offset];
    const [found] = await this.unitOfWork.execute(listConflicts(scope), values, inScope);
    const { total = 0, conflicts = [] } = found ?? {};
    const uids = conflicts.flat();
    const rows = await this.unitOfWork.execute(CONFLICTING_FEATURES, [uids, MAX_ANSWER_BYTES], inScope);
    const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
    const features = rowsWithin(rows, asked).map(toFeature);
    const byUid = new Map(features.map((feature) => [feature.uid, feature]));
    const shown = conflicts.map((ofOne) => ofOne.flatMap((uid) => byUid.get(uid) ?? []));
    // what was settled between the statements is none any more
    return { conflicts: shown.filter(({ length }) => length > 1), total };
  }

  /** The uids of those that contradict a feature, oldest first. */
  async of(scope: Scope, uid: string, limit: number, tx: Transaction): Promise<string[]> {
    const values = [scope.orgId, scope.projectUid, uid, limit];
    const rows = await this.unitOfWork.execute(conflictsOf(scope), values, { tx, scope: rowsIn(scope) });
    return rows.map((row) => row.uid);
  }
}
