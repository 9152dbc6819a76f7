import { type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { EXPIRE_FEATURES } from './expire-features.sql.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeatureWriter } from './feature-writer.js';
import { toFact } from './feature-rows.js';
import { FeaturesRepository } from './features.repository.js';
import { SOME_OF_CATEGORY } from './some-of-category.sql.js';
import { type SetsOfCategory } from './wanted-records.js';

/** Features that one step removes. */
const REMOVED_AT_ONCE = 200;

/** The features of a category, when a client removes or changes that. */
@Injectable()
export class CategoryFeatures {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly history: FeatureHistoryRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Keeps the features of these sets as they are until the transaction ends. */
  lock(tx: Transaction, setUids: readonly string[]): Promise<void> {
    return this.features.lockSets(setUids, tx);
  }

  /** Lets them expire by what the categories of their sets say now. */
  async expire(tx: Transaction, owner: Owner, of: SetsOfCategory): Promise<void> {
    const inScope = { tx, scope: rowsIn(owner) };
    await this.unitOfWork.execute(EXPIRE_FEATURES, [of.setUids, of.category], inScope);
  }

  /** Removes some of them with all that is known of them. @returns whether none is left */
  async removeSome(tx: Transaction, owner: Owner, of: SetsOfCategory): Promise<boolean> {
    await this.features.lockSets(of.setUids, tx);
    const values = [of.setUids, of.category, REMOVED_AT_ONCE];
    const some = await this.unitOfWork.execute(SOME_OF_CATEGORY, values, { tx, scope: rowsIn(owner) });
    await this.writer.erase(tx, some.map(toFact));
    if (some.length === REMOVED_AT_ONCE) return false;
    await this.history.forgetRemovals(owner, of, tx);
    return true;
  }
}
