import { type IndexSpace, type SpaceModel } from '../spaces/index-space.js';

export interface Move {
  readonly ownerUid: string;
  readonly to: SpaceModel;
}

/** The work of bringing owners from one embedder to another. Every step is safe to repeat and to interrupt. */
export abstract class MovesRepository {
  /** The names of the embedders that owners chose themselves. */
  abstract chosenNames(): Promise<string[]>;

  /**
   * Owners whose vectors are not, and are not about to be, those of the embedder that they should use.
   * @param models what each name stands for now; owners that want another one are left as they are
   * @param defaultName of owners that chose none
   */
  abstract due(models: readonly SpaceModel[], defaultName: string, limit: number): Promise<Move[]>;

  /** Begins to build the space; one that was being built for another embedder is dropped. */
  abstract begin(move: Move): Promise<void>;

  /** Takes a space that nobody builds at the moment, for `leaseMs`, and counts what there is to do. */
  abstract claim(leaseMs: number): Promise<IndexSpace | undefined>;

  /** Goes on holding a space. @param carried rows since the last call @returns false when it is not built any more */
  abstract renew(space: IndexSpace, carried: number, leaseMs: number): Promise<boolean>;

  /** Lets go of a space for a while. @param problem why it does not get on, for people */
  abstract release(space: IndexSpace, pauseMs: number, problem: string | undefined): Promise<void>;

  /** Makes the space the active one if everything is in it. @returns whether it is done with */
  abstract complete(space: IndexSpace): Promise<boolean>;

  /**
   * Removes one space that has been retiring for `graceMs`; the owner cannot come back to it meanwhile.
   * @param removeVectors undoes the removal by throwing
   * @returns whether there was one
   */
  abstract removeRetired(
    graceMs: number,
    removeVectors: (space: IndexSpace) => Promise<void>,
  ): Promise<boolean>;

  /** Of all spaces that are being built, as far as it was counted. */
  abstract progress(): Promise<{
    readonly spaces: number;
    readonly items: number;
    readonly carried: number;
  }>;

  /** Why a space that is being built does not get on. */
  abstract problemOf(spaceUid: string): Promise<string | undefined>;
}
