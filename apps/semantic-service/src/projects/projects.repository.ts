import { type ConfiguredProject, type ProjectReference, type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type OpenProject } from './project.js';

/** The projects that this service holds data of. */
export abstract class ProjectsRepository {
  abstract findOpen(tenant: Tenant, tx?: Transaction): Promise<OpenProject | undefined>;

  /** Opens the project unless it is known already, closed included. */
  abstract open(reference: ProjectReference): Promise<void>;

  /** Notes the models that an open project chose, unless a newer choice is known. */
  abstract adoptModels(project: ConfiguredProject): Promise<void>;

  /**
   * Keeps projects from being closed until the transaction ends.
   * @returns those of the uids that are open
   */
  abstract hold(projectUids: readonly string[], tx: Transaction): Promise<Set<string>>;

  /** As `hold`, alone: whoever holds the project has ended, whoever comes waits. @returns whether it is open */
  abstract lock(projectUid: string, tx: Transaction): Promise<boolean>;

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  abstract close(reference: ProjectReference): Promise<void>;
}
