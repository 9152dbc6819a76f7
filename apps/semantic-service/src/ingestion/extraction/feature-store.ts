import { type Transaction } from '@loci/persistence';
import { type ChangeRequest } from '../../features/feature-change.js';

export interface KnownFeature {
  readonly uid: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
}

/** The features of sets, as ingestion needs them. Also the injection token. */
export abstract class FeatureStore {
  /** Writes features, citations, history and what others must hear of, within the transaction. */
  abstract apply(tx: Transaction, request: ChangeRequest): Promise<unknown>;

  /** The features that have most to do with the texts, best first. */
  abstract relevant(
    setUid: string,
    category: string,
    texts: readonly string[],
    limit: number,
  ): Promise<KnownFeature[]>;

  abstract ofTag(setUid: string, category: string, tag: string): Promise<KnownFeature[]>;

  abstract countByTag(setUid: string, category: string): Promise<ReadonlyMap<string, number>>;
}
