import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { toFeature } from '../features/feature-rows.js';
import { type Feature, type FeatureLocation } from '../features/feature.js';
import { distinctSubjects, type Partition, partitionValues } from '../features/partition.js';
import { rowsIn } from '../projects/row-scope.js';
import { KNOWN_FEATURES } from './known-features.sql.js';
import { RECENT_FEATURES } from './recent-features.sql.js';

export interface WantedKnown {
  readonly categories: readonly string[];
  readonly partition: Partition;
  /** Undefined in the list: those without a subject. */
  readonly subjects: readonly (string | undefined)[];
  /** `some`: of those with a subject, and of those without. */
  readonly limit: number;
}

/** What is known in a set, as far as a few rows tell. */
@Injectable()
export class KnownFeaturesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Any features that have not ended, unsorted: however many there are, no more are read. */
  async some(
    { setUid, ...owner }: FeatureLocation,
    { categories, partition, subjects, limit }: WantedKnown,
  ): Promise<Feature[]> {
    const named = [...new Set(subjects.filter((subject) => subject !== undefined))];
    const withOthers = subjects.includes(undefined);
    const values = [setUid, categories, ...partitionValues(partition), named, withOthers, limit];
    const rows = await this.unitOfWork.execute(KNOWN_FEATURES, values, { scope: rowsIn(owner) });
    return rows.map(toFeature);
  }

  /** Features that have not ended, last changed first, among the last changed thousand of each subject. */
  async recent(
    { setUid, ...owner }: FeatureLocation,
    { categories, partition, subjects, limit }: WantedKnown,
  ): Promise<Feature[]> {
    const about = distinctSubjects(subjects);
    const values = [setUid, categories, ...partitionValues(partition), about, limit];
    const rows = await this.unitOfWork.execute(RECENT_FEATURES, values, { scope: rowsIn(owner) });
    return rows.map(toFeature);
  }
}
