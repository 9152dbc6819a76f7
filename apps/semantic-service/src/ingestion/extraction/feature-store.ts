import { type Transaction } from '@loci/persistence';
import { type Citation } from './ingestion-episode.js';

export interface KnownFeature {
  readonly uid: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
}

/** One step of a change to the features of a category. Steps are done in order. */
export type FeatureChange =
  | {
      /** `update` gives every feature of this tag and name the value, and adds one when there is none. */
      readonly kind: 'add' | 'update';
      readonly tag: string;
      readonly name: string;
      readonly value: string;
      readonly citations: readonly Citation[];
    }
  /** Removes every feature of this tag and name. */
  | { readonly kind: 'delete'; readonly tag: string; readonly name: string }
  /** Puts new features in the place of some; each cites what those that go cited together. */
  | {
      readonly kind: 'replace';
      readonly uids: readonly string[];
      readonly by: readonly { readonly tag: string; readonly name: string; readonly value: string }[];
    };

/** What is told of a change that names its features by tag and name. */
export interface NamedChange {
  readonly kind: 'update' | 'delete';
  readonly tag: string;
  readonly name: string;
}

export interface FeatureChanges {
  /** The set, and whose it is. */
  readonly place: {
    readonly setUid: string;
    readonly orgId: string;
    readonly projectUid: string | undefined;
  };
  readonly category: string;
  readonly changes: readonly FeatureChange[];
  /** Who changes: kept with the history of every feature that it touches. */
  readonly origin: {
    readonly kind: 'ingestion' | 'consolidation';
    readonly jobId: string;
    readonly model: string;
    /** Uids of the episodes that were read for it. */
    readonly episodes: readonly string[];
  };
  /** Told of each change that is not made, because a client wrote what it is about. */
  readonly onRefused?: (change: NamedChange) => void;
}

/** The features of sets, as ingestion needs them. Also the injection token. */
export abstract class FeatureStore {
  /** Writes features, citations, history and what others must hear of, within the transaction. */
  abstract apply(tx: Transaction, request: FeatureChanges): Promise<unknown>;

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
