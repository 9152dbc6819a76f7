import { type Collection } from '../collections/vector-collections.js';

/** The embedder that the vectors of a space are made by. */
export interface SpaceModel extends Collection {
  /** The name of the embedder in the registry. */
  readonly embedder: string;
}

/**
 * The vectors of one owner by one embedder. Searches use the `active` one. While an owner moves to another embedder the
 * new space is `building`; when everything is in it, it becomes the active one and the former is `retiring`: nobody
 * begins to use it any more, and its vectors are removed a while later.
 */
export interface IndexSpace extends SpaceModel {
  readonly uid: string;
  readonly ownerUid: string;
  readonly state: 'active' | 'building' | 'retiring';
}
