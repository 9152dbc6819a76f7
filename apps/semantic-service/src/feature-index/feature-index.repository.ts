import { type SetSpacesProgress } from '@loci/contracts';
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

export type SpaceState = 'active' | 'building';

export interface SpacesInState {
  readonly state: SpaceState;
  readonly progress: SetSpacesProgress;
}

/** How far the vectors of the sets that a scope shows are. */
export abstract class FeatureIndexRepository {
  abstract counts(scope: Scope): Promise<FeatureCounts>;

  /** By embedder and state. */
  abstract spaces(scope: Scope): Promise<SpacesInState[]>;

  /** Each pair once. @param defaultName of sets that name none */
  abstract wanted(scope: Scope, defaultName: string): Promise<WantedEmbedder[]>;

  /** Why a set does not get on with its new embedder, for one that does not. */
  abstract problem(scope: Scope): Promise<string | undefined>;
}
