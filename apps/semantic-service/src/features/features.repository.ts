import { type Filter, type Instant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Owner, type Scope } from '../projects/project.js';
import { type Feature, type FeatureContent, type FeatureRecord } from './feature.js';

/**
 * Where features are kept: the truth. What a scope does not show is not there; tombstones never are. What is searched or
 * listed shows a caller of one project, of a set of the organization, what its own project put there (`readable`).
 */
export abstract class FeaturesRepository {
  /** The feature, with the uids of the episodes that it cites, oldest first. */
  abstract find(scope: Scope, uid: string): Promise<{ feature: Feature; citations: string[] } | undefined>;

  /**
   * Those of the features that exist and match, in no particular order.
   * @throws AppError `body_too_large` when they are too large together, before they are read
   */
  abstract findMatching(
    scope: Scope,
    setUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
  ): Promise<Feature[]>;

  /** The features of a set that match, in no particular order. */
  abstract uidsMatching(
    scope: Scope,
    setUid: string,
    filter: Filter | undefined,
    limit: number,
  ): Promise<string[]>;

  /**
   * Of these sets, by the time of their making, then uid; `total` counts the matches of all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  abstract list(
    scope: Scope,
    setUids: readonly string[],
    filter: Filter | undefined,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ features: Feature[]; total: number }>;

  /** Whose a set is. */
  abstract ownerOf(setUid: string): Promise<Owner>;

  /** Of one category, last changed first. */
  abstract newest(
    setUid: string,
    category: string,
    options: { readonly tag?: string | undefined; readonly limit: number },
  ): Promise<Feature[]>;

  /** How many features each tag of a category holds. */
  abstract countByTag(setUid: string, category: string): Promise<Map<string, number>>;

  /** Makes the changes of features of one set queue until the transaction ends. */
  abstract lockSet(setUid: string, tx: Transaction): Promise<void>;

  /** The features of a category of a set, with their citations; of this tag and name where given. */
  abstract records(
    setUid: string,
    where: Pick<FeatureContent, 'category'> & Partial<Pick<FeatureContent, 'tag' | 'name'>>,
    tx: Transaction,
  ): Promise<FeatureRecord[]>;

  /** The features of these uids that exist, with their citations. */
  abstract recordsOf(scope: Scope, uids: readonly string[], tx: Transaction): Promise<FeatureRecord[]>;

  /** The feature of a set that says the very same. */
  abstract twinOf(
    setUid: string,
    content: FeatureContent,
    tx: Transaction,
  ): Promise<FeatureRecord | undefined>;

  /** Writes the feature as it is to be, whether it was there, was deleted, or is new. Its vector is out of date then. */
  abstract save(record: FeatureRecord, tx: Transaction): Promise<void>;

  /** Turns features into tombstones. */
  abstract remove(uids: readonly string[], tx: Transaction): Promise<void>;

  /** Those of the episodes that were deleted, with the time until which that is meant: not one that was added later. */
  abstract deletedAmong(
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<ReadonlyMap<string, Instant>>;
}
