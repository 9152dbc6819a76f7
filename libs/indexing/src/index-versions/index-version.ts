import { type Collection } from '../collections/vector-collections.js';

/** The embedder that the vectors of an index version are made by. */
export interface IndexVersionModel extends Collection {
  /** The name of the embedder in the registry. */
  readonly embedder: string;
}

/**
 * The vectors of one owner by one embedder. Searches use the `active` one. While an owner is re-embedded the
 * new index version is `building`; when everything is in it, it becomes the active one and the former is `retiring`: no search
 * begins to use it any more, and its vectors are removed a while later.
 */
export interface IndexVersion extends IndexVersionModel {
  readonly uid: string;
  readonly ownerUid: string;
  readonly state: 'active' | 'building' | 'retiring';
}

/** How the vectors of an owner are at one moment. */
export interface OwnerIndex {
  /** All index versions, in no particular order. */
  readonly indexVersions: readonly IndexVersion[];
  /** Whether anything of the owner has no up to date vector in its active index version. */
  readonly hasWaiting: boolean;
  /** Tells whether the words of the owner were counted again; 0: never. */
  readonly wordsRevision: number;
}
