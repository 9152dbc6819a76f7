import { type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { type ChangeOrigin, type FeaturePlace, type FeatureState } from './feature.js';

export interface NewHistoryEntry {
  readonly featureUid: string;
  readonly place: FeaturePlace;
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
  readonly at: Instant;
  /** In the order in which they were touched. */
  readonly features: readonly { readonly featureUid: string; readonly action: ChangeAction }[];
}

export interface ChangePage {
  readonly offset: number;
  readonly limit: number;
}

/** What happened to features, for as long as the episodes behind it are remembered. */
export abstract class FeatureHistoryRepository {
  abstract add(entry: NewHistoryEntry, tx: Transaction): Promise<void>;

  /** Newest first. */
  abstract list(scope: Scope, featureUid: string, tx?: Transaction): Promise<HistoryEntry[]>;

  /** What belongs to one change of a set, newest first. */
  abstract ofChange(
    scope: Scope,
    setUid: string,
    changeUid: string,
    tx: Transaction,
  ): Promise<HistoryEntry[]>;

  /** The changes of a set, newest first. */
  abstract changes(
    scope: Scope,
    setUid: string,
    page: ChangePage,
  ): Promise<{ readonly changes: readonly SetChange[]; readonly total: number }>;

  /** Forgets all that happened to these features. */
  abstract forget(featureUids: readonly string[], tx: Transaction): Promise<void>;
}
