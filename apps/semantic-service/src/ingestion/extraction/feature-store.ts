import { type Transaction } from '@loci/persistence';
import { type AppliedChanges, type ChangeRequest, type NamedChange } from '../../features/feature-change.js';
import { type FeatureLocation } from '../../features/feature.js';
import { type FeatureGroup, type Partition } from '../../features/partition.js';
import { type StatedValidity } from '../../features/validity.js';
import { type AlikeRequest, type ContextRequest } from '../../search/feature-context.js';

export interface KnownFeature {
  readonly uid: string;
  readonly subject?: string | undefined;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
}

/** A feature that a model is shown. */
export interface ShownFeature extends KnownFeature, StatedValidity {
  readonly category: string;
}

/** What a model asks for. */
export interface ModelRequest extends Omit<ChangeRequest, 'onRefused'> {
  /** Features outside of it stay as they are. */
  readonly partition: Partition;
  /** Told of each change that is neither made nor proposed, and why. */
  readonly onRefused?: ((change: NamedChange, reason: string) => void) | undefined;
}

/** The features of sets, as ingestion needs them. Also the injection token. */
export abstract class FeatureStore {
  /**
   * Writes features, citations, history and what others must hear of, within the transaction. What a client wrote stays:
   * changes of it become proposals.
   */
  abstract apply(tx: Transaction, request: ModelRequest): Promise<AppliedChanges>;

  /** Of the partition all features, or those that have most to do with the texts, as many as the tokens allow. */
  abstract relevant(request: ContextRequest): Promise<ShownFeature[]>;

  /** Of the partition all features, or the newest with what is most like each of them by meaning and by words. */
  abstract alike(request: AlikeRequest): Promise<ShownFeature[]>;

  /** Of some categories and subjects; undefined: features without one. */
  abstract groups(
    location: FeatureLocation,
    categories: readonly string[],
    subjects: readonly (string | undefined)[],
  ): Promise<readonly FeatureGroup[]>;

  /** Of some features those that a merge had taken away and a client brought back by undo, each with these changes. */
  abstract takenApart(
    location: FeatureLocation,
    uids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}
