import { type Collection } from '../collections/vector-collections.js';
import { type IndexVersion, type IndexVersionModel } from './index-version.js';

export interface KnownCollection extends Collection {
  /** Whether any owner reads or fills it. */
  readonly isInUse: boolean;
  /** Whether no owner is being re-embedded into it or out of it. */
  readonly isSettled: boolean;
}

/** How the vectors of an owner are at one moment. */
export interface OwnerIndex {
  /** All index versions, in no particular order. */
  readonly indexVersions: readonly IndexVersion[];
  /** Whether anything of the owner has no up to date vector in its active index version. */
  readonly hasWaiting: boolean;
}

/** Which index versions each owner has. */
export abstract class IndexVersionsRepository {
  abstract of(ownerUid: string): Promise<OwnerIndex>;

  /** The name of the embedder that an open owner chose, empty for the default; undefined when it is not open. */
  abstract chosenEmbedder(ownerUid: string): Promise<string | undefined>;

  /** Notes that there is a collection. @returns whether nobody knew of it before */
  abstract addCollection(collection: Collection): Promise<boolean>;

  /** Makes this the active index version of an open owner that has none. */
  abstract activate(ownerUid: string, model: IndexVersionModel): Promise<void>;

  /** Every collection that ever was, since points may still come into one that was left. */
  abstract collections(): Promise<KnownCollection[]>;

  /** Index versions that are being built in this collection begin anew. */
  abstract restart(fingerprint: string): Promise<void>;

  /** Forgets the index versions of an erased owner. */
  abstract forget(ownerUid: string): Promise<void>;
}
