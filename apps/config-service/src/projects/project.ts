import { type ProjectConfig, type ProjectModels, type Tenant } from '@loci/contracts';

/** The services that store data of projects. A deleted project is gone once each has confirmed its erasure. */
export const PROJECT_HOLDERS = ['episodic', 'semantic'] as const;

export type ProjectHolder = (typeof PROJECT_HOLDERS)[number];

export interface Project {
  readonly uid: string;
  readonly tenant: Tenant;
  readonly description: string;
  /** As it was resolved when the project was created; its models are those of `models` now. */
  readonly config: ProjectConfig;
  readonly models: ProjectModels;
  /** Set once deletion was requested: the project no longer exists for its users, only its name is still taken. */
  readonly isBeingDeleted: boolean;
}
