import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner } from '../projects/project.js';
import { locationOf } from '../sets/set.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeatureWriter } from './feature-writer.js';
import { type FeatureLocation } from './feature.js';
import { FeaturesRepository } from './features.repository.js';

/** The features of a category, when a client removes or changes that. */
@Injectable()
export class CategoryFeatures {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly history: FeatureHistoryRepository,
  ) {}

  /** Keeps the features of the set as they are until the transaction ends. */
  lock(tx: Transaction, setUid: string): Promise<void> {
    return this.features.lockSets([setUid], tx);
  }

  /** Lets them expire by what the categories of their sets say now. */
  async expire(
    tx: Transaction,
    owner: Owner,
    { sets, category }: { readonly sets: readonly { readonly uid: string }[]; readonly category: string },
  ): Promise<void> {
    const uids = sets.map(({ uid }) => uid);
    await this.features.lockSets(uids, tx);
    await this.features.expire(owner, uids, category, tx);
  }

  /** Removes them with all that is known of them. */
  async removeAll(
    tx: Transaction,
    set: Omit<FeatureLocation, 'setUid'> & { uid: string },
    category: string,
  ): Promise<void> {
    await this.features.lockSets([set.uid], tx);
    const records = await this.features.records(locationOf(set), { category }, tx);
    await this.writer.erase(tx, records);
    await this.history.forgetRemovals(locationOf(set), category, tx);
  }
}
