import { type Tenant } from '@loci/contracts';

/** Which halves of episodic memory a project uses. */
export interface EpisodicSettings {
  readonly enabled: boolean;
  readonly longTermEnabled: boolean;
  readonly shortTermEnabled: boolean;
  /** How long episodes that are added live at most; 0: until they are deleted. */
  readonly ttlSeconds: number;
}

/** The models that a project chose; an empty name stands for the default of the deployment. */
export interface ChosenModels {
  readonly embedder: string;
  readonly reranker: string;
}

/** A project as this service knows it: only an open one takes writes and shows data. */
export interface OpenProject {
  readonly uid: string;
  readonly tenant: Tenant;
  readonly settings: EpisodicSettings;
  readonly models: ChosenModels;
}
