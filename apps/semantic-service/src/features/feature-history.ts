import { type Author, type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { type ChangeOrigin, type FeatureLocation, type FeatureState } from './feature.js';

export interface NewHistoryEntry {
  readonly featureUid: string;
  readonly location: FeatureLocation;
  readonly origin: ChangeOrigin;
  readonly before: FeatureState | undefined;
  readonly after: FeatureState | undefined;
}

export interface HistoryEntry extends NewHistoryEntry {
  readonly uid: string;
  readonly action: ChangeAction;
  readonly at: Instant;
}

/** All that was changed at once in a set. */
export interface SetChange {
  readonly uid: string;
  readonly origin: ChangeOriginKind;
  readonly jobId: string | undefined;
  readonly model: string | undefined;
  readonly author: Author | undefined;
  readonly at: Instant;
  /** In the sequence in which they were changed. */
  readonly features: readonly { readonly featureUid: string; readonly action: ChangeAction }[];
}
