import { type ChangeOrigin, type Citation, type FeaturePlace } from './feature.js';

/** One step of a change to the features of a category. Steps are done in order. */
export type FeatureChange =
  | {
      readonly kind: 'add';
      readonly tag: string;
      readonly name: string;
      readonly value: string;
      readonly citations: readonly Citation[];
    }
  /** Gives every feature of this tag and name the value; adds one when there is none. */
  | {
      readonly kind: 'update';
      readonly tag: string;
      readonly name: string;
      readonly value: string;
      readonly citations: readonly Citation[];
    }
  /** Removes every feature of this tag and name. */
  | { readonly kind: 'delete'; readonly tag: string; readonly name: string }
  | { readonly kind: 'remove'; readonly uids: readonly string[] }
  /** Puts new features in the place of some; each cites what those that go cited together. */
  | {
      readonly kind: 'replace';
      readonly uids: readonly string[];
      readonly by: readonly { readonly tag: string; readonly name: string; readonly value: string }[];
    };

/** What a model may ask of features by their tag and name. */
export type NamedChange = Extract<FeatureChange, { kind: 'update' | 'delete' }>;

/** Uids of the features that a change touched. */
export interface AppliedChanges {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

export interface ChangeRequest {
  readonly place: FeaturePlace;
  readonly category: string;
  readonly changes: readonly FeatureChange[];
  readonly origin: ChangeOrigin;
  /** Told of each change that a model asks for and that is not made, because a client wrote what it is about. */
  readonly onRefused?: ((change: NamedChange) => void) | undefined;
}
