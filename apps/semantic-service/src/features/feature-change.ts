import { type Dated } from '@loci/contracts';
import {
  type ChangeOrigin,
  type Citation,
  type FeatureContent,
  type FeatureLocation,
  type FeatureRecord,
} from './feature.js';
import { type Partition } from './partition.js';
import { type StatedValidity } from './validity.js';

/** One step of a change to the features of a category. Steps are done one after the other. */
export type FeatureChange =
  | ({
      readonly kind: 'add';
      /** As of a feature; absent: nothing says so, or it stays. */
      readonly isSingleValued?: boolean | undefined;
      readonly subject?: string | undefined;
      readonly tag: string;
      readonly name: string;
      readonly value: string;
      readonly citations: readonly Citation[];
    } & StatedValidity)
  /**
   * Gives every feature of this subject, tag and name the value, from the moment at which the change is valid; adds one
   * when there is none. What was said before is kept as what ended then.
   */
  | ({
      readonly kind: 'update';
      readonly isSingleValued?: boolean | undefined;
      /** What others say of the subject: it changes nothing else. */
      readonly isHearsay?: boolean | undefined;
      readonly subject?: string | undefined;
      readonly tag: string;
      readonly name: string;
      readonly value: string;
      readonly citations: readonly Citation[];
    } & StatedValidity)
  /** Removes every feature of this subject, tag and name; with the moment at which they ended, they are kept. */
  | {
      readonly kind: 'delete';
      /** What others say of the subject: it changes nothing else. */
      readonly isHearsay?: boolean | undefined;
      readonly subject?: string | undefined;
      readonly tag: string;
      readonly name: string;
      readonly validUntil?: Dated | undefined;
      /** Of the command; a model's that cites nothing but deleted episodes is not carried out. */
      readonly citations?: readonly Citation[] | undefined;
    }
  | { readonly kind: 'remove'; readonly uids: readonly string[] }
  /** Notes that two features contradict each other, unless one of them is gone, or is not what it was when it was read. */
  | {
      readonly kind: 'contradict';
      readonly uids: readonly [string, string];
      readonly read: readonly ReadFeature[];
    }
  /**
   * Replaces features by new ones; each cites what the replaced ones cited together. Nothing is replaced when one of them is
   * gone, or is not what it was when it was read, or when some of them are hearsay and others are not.
   */
  | {
      readonly kind: 'replace';
      readonly uids: readonly string[];
      /** Some of them as they were when the new ones were made of them. */
      readonly read?: readonly ReadFeature[];
      readonly by: readonly Omit<FeatureContent, 'category'>[];
    };

/** A feature as it was when it was read. */
export interface ReadFeature extends Pick<FeatureContent, 'tag' | 'name' | 'value'>, StatedValidity {
  readonly uid: string;
}

/** What a model may ask of features by their tag and name. */
export type NamedChange = Extract<FeatureChange, { kind: 'update' | 'delete' }>;

/** Uids of the features that a change touched. */
export interface AppliedChanges {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

export interface ChangeRequest {
  readonly location: FeatureLocation;
  readonly category: string;
  /** What it may change, and where it adds. Default: `TRUSTED`. */
  readonly partition?: Partition | undefined;
  readonly changes: readonly FeatureChange[];
  readonly origin: ChangeOrigin;
  /** Told of each change that a model asks for and that is not made, because a client wrote one of these features. */
  readonly onRefused?: ((change: NamedChange, features: readonly FeatureRecord[]) => void) | undefined;
}
