import { type IndexVersion, type IndexVersionModel } from '../index-versions/index-version.js';

export interface Reembedding {
  readonly ownerUid: string;
  readonly to: IndexVersionModel;
}

/** The work of bringing owners from one embedder to another. Every step is safe to repeat and to interrupt. */
export abstract class ReembeddingsRepository {
  /** The names of the embedders that owners chose themselves. */
  abstract chosenNames(): Promise<string[]>;

  /**
   * Owners whose vectors are not, and are not about to be, those of the embedder that they should use.
   * @param models what each name stands for now; owners that want another one are left as they are
   * @param defaultName of owners that chose none
   */
  abstract due(
    models: readonly IndexVersionModel[],
    defaultName: string,
    limit: number,
  ): Promise<Reembedding[]>;

  /** Begins to build the index version; one that was being built for another embedder is dropped. */
  abstract begin(reembedding: Reembedding): Promise<void>;

  /** Takes an index version that nobody builds at the moment, for `leaseMs`, and counts what there is to do. */
  abstract claim(leaseMs: number): Promise<IndexVersion | undefined>;

  /** Renews the lease of an index version. @param carried rows re-embedded since the last call @returns false when it is not built any more */
  abstract renew(indexVersion: IndexVersion, carried: number, leaseMs: number): Promise<boolean>;

  /** Releases the lease of an index version for a while. @param problem why building it failed, for people */
  abstract release(indexVersion: IndexVersion, pauseMs: number, problem: string | undefined): Promise<void>;

  /** Makes the index version the active one if everything is in it. @returns whether it is done with */
  abstract complete(indexVersion: IndexVersion): Promise<boolean>;

  /**
   * Removes one index version that has been retiring for `graceMs`; the owner cannot come back to it meanwhile.
   * @param removeVectors undoes the removal by throwing
   * @returns whether there was one
   */
  abstract removeRetired(
    graceMs: number,
    removeVectors: (indexVersion: IndexVersion) => Promise<void>,
  ): Promise<boolean>;

  /** Of all index versions that are being built, as far as it was counted. */
  abstract progress(): Promise<{
    readonly indexVersions: number;
    readonly items: number;
    readonly carried: number;
  }>;

  /** Why an index version that is being built is stuck. */
  abstract problemOf(versionUid: string): Promise<string | undefined>;
}
