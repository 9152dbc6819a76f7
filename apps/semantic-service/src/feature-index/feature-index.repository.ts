import { type SetIndexVersionsProgress } from '@loci/contracts';
import { type Scope } from '../projects/project.js';

export interface FeatureCounts {
  readonly features: number;
  /** Those of them that searches find by their vectors. */
  readonly indexed: number;
}

/** The embedder that a set with features should use, and the one that it is searched by, if any. */
export interface WantedEmbedder {
  readonly embedder: string;
  readonly fingerprint: string | undefined;
}

export type IndexVersionState = 'active' | 'building';

export interface IndexVersionsInState {
  readonly state: IndexVersionState;
  readonly progress: SetIndexVersionsProgress;
}

/** How far the vectors of the sets that a scope shows are. */
export abstract class FeatureIndexRepository {
  abstract counts(scope: Scope): Promise<FeatureCounts>;

  /** By embedder and state. */
  abstract indexVersions(scope: Scope): Promise<IndexVersionsInState[]>;

  /** Each pair once. @param defaultName of sets that name none */
  abstract wanted(scope: Scope, defaultName: string): Promise<WantedEmbedder[]>;

  /** Why a set does not get on with its new embedder, for one that does not. */
  abstract problem(scope: Scope): Promise<string | undefined>;
}
