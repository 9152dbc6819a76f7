import { MAX_ANSWER_BYTES } from '@loci/contracts';
import { rowsWithin, type Transaction, UnitOfWork } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { toFeature } from '../features/feature-rows.js';
import { type Feature, type FeatureRecord } from '../features/feature.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { CONFLICTING_FEATURES } from './conflicting-features.sql.js';
import { conflictsOf } from './conflicts-of.sql.js';
import { listConflicts } from './list-conflicts.sql.js';
import { weighEndings } from './weigh-endings.sql.js';

/** What ends together is in memory at once, as it was and as it is to be. */
const MAX_SETTLED_BYTES = 4 * MAX_ANSWER_BYTES;

/** Features that are weighed at a time: PostgreSQL reads all that they have for that. */
const WEIGHED_AT_ONCE = 20;

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

  /** The first of the features of a set that can be ended together, at least one. @param kept the one for which they end */
  async endable(
    scope: Scope,
    uids: readonly string[],
    kept: Pick<FeatureRecord, 'uid' | 'setUid'>,
    tx: Transaction,
  ): Promise<string[]> {
    const endable: string[] = [];
    let left = MAX_SETTLED_BYTES;
    for (const some of inParts(uids, WEIGHED_AT_ONCE)) {
      const values = [scope.orgId, scope.projectUid, some, kept.uid, kept.setUid];
      const rows = await this.unitOfWork.execute(weighEndings(scope), values, { tx, scope: rowsIn(scope) });
      const weights = new Map(rows.map(({ uid, bytes }) => [uid, bytes]));
      for (const uid of some) {
        left -= weights.get(uid) ?? 0;
        if (left < 0 && endable.length > 0) return endable;
        endable.push(uid);
      }
    }
    return endable;
  }
}
