import { type ChangeAction, type Instant } from '@loci/contracts';
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

/** What happened to features, for as long as the episodes behind it are remembered. */
export abstract class FeatureHistoryRepository {
  abstract add(entry: NewHistoryEntry, tx: Transaction): Promise<void>;

  /** Newest first. */
  abstract list(scope: Scope, featureUid: string, tx?: Transaction): Promise<HistoryEntry[]>;

  /** Forgets all that happened to these features. */
  abstract forget(featureUids: readonly string[], tx: Transaction): Promise<void>;
}
