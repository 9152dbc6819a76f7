import { type Collection } from '../collections/vector-collections.js';
import { type IndexSpace, type SpaceModel } from './index-space.js';

export interface KnownCollection extends Collection {
  /** Whether any owner reads or fills it. */
  readonly isInUse: boolean;
  /** Whether no owner moves into it or out of it. */
  readonly isSettled: boolean;
}

/** How the vectors of an owner are at one moment. */
export interface OwnerIndex {
  /** All spaces, in no particular order. */
  readonly spaces: readonly IndexSpace[];
  /** Whether anything of the owner has no up to date vector in its active space. */
  readonly hasWaiting: boolean;
}

/** Which spaces each owner has. */
export abstract class IndexSpacesRepository {
  abstract of(ownerUid: string): Promise<OwnerIndex>;

  /** The name of the embedder that an open owner chose, empty for the default; undefined when it is not open. */
  abstract chosenEmbedder(ownerUid: string): Promise<string | undefined>;

  /** Notes that there is a collection. @returns whether nobody knew of it before */
  abstract addCollection(collection: Collection): Promise<boolean>;

  /** Makes this the active space of an open owner that has none. */
  abstract activate(ownerUid: string, model: SpaceModel): Promise<void>;

  /** Every collection that ever was, since points may still come into one that was left. */
  abstract collections(): Promise<KnownCollection[]>;

  /** Spaces that are being built in this collection begin anew. */
  abstract restart(fingerprint: string): Promise<void>;

  /** Forgets the spaces of an erased owner. */
  abstract forget(ownerUid: string): Promise<void>;
}
