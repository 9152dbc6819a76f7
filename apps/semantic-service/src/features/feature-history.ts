import { type Author, type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { type ChangeOrigin, type FeatureLocation, type FeatureState } from './feature.js';
import { type Partition } from './partition.js';

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

/** What a state says, and when that holds: as much as tells what belongs together, of any number of entries. */
export type OutlinedState = Pick<
  FeatureState,
  'subject' | 'category' | 'tag' | 'name' | 'value' | 'dates' | keyof Partition
>;

/** What happened to a feature, without what it cites. */
export interface OutlinedEntry extends Omit<HistoryEntry, 'before' | 'after'> {
  readonly before: OutlinedState | undefined;
  readonly after: OutlinedState | undefined;
}

/** A state without what is known of the messages that it cites. */
export type ListedState = Omit<FeatureState, 'citations'> & { readonly citations: readonly string[] };

/** What happened to a feature, to be read and not to be taken back. */
export interface ListedEntry extends Omit<HistoryEntry, 'before' | 'after'> {
  readonly before: ListedState | undefined;
  readonly after: ListedState | undefined;
}

export interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly ListedEntry[];
  /** Uid of the last entry where there are more. */
  readonly next: string | undefined;
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
