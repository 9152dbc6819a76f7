import { type ConfiguredProject, type ProjectReference, type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type EpisodicSettings, type OpenProject } from './project.js';

/** The projects that this service holds data of. */
export abstract class ProjectsRepository {
  abstract findOpen(tenant: Tenant): Promise<OpenProject | undefined>;

  /** Opens the project unless it is known already, closed included. */
  abstract open(project: ConfiguredProject): Promise<void>;

  /** Notes the models that an open project chose, unless a newer choice is known. */
  abstract adoptModels(project: ConfiguredProject): Promise<void>;

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  abstract close(reference: ProjectReference): Promise<void>;

  /** @returns false when the project is not open */
  abstract updateSettings(
    tenant: Tenant,
    changes: Partial<EpisodicSettings>,
    tx: Transaction | undefined,
  ): Promise<boolean>;
}
