import { type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Project, type ProjectHolder } from './project.js';

export type NewProject = Omit<Project, 'isBeingDeleted'>;

/** Where projects are kept. A name belongs to one project at a time, also while that one is being deleted. */
export abstract class ProjectsRepository {
  /** @returns false when the name is taken */
  abstract add(project: NewProject, tx?: Transaction): Promise<boolean>;

  /** Projects being deleted are found too. */
  abstract find(tenant: Tenant): Promise<Project | undefined>;

  /** The projects that exist for their users, by organization, then name. */
  abstract list(orgId?: string): Promise<Tenant[]>;

  /** The projects that exist for their users and were chose this model, by name, at most `limit`. */
  abstract listUsing(
    model: 'embedder' | 'reranker',
    name: string,
    limit: number,
    tx?: Transaction,
  ): Promise<Tenant[]>;

  /**
   * Changes which models a project uses; what is absent stays. The revision grows only with a real change.
   * @returns the project as it is now; undefined when none of that name exists for its users
   */
  abstract configure(
    tenant: Tenant,
    change: { embedder?: string | undefined; reranker?: string | undefined },
    tx: Transaction,
  ): Promise<Project | undefined>;

  /**
   * Marks the project deleted and notes who has to confirm.
   * @returns the project as it is now; undefined when there is none of that name
   */
  abstract markDeleted(
    tenant: Tenant,
    holders: readonly ProjectHolder[],
    tx: Transaction,
  ): Promise<{ project: Project; isNewlyDeleted: boolean } | undefined>;

  /** Notes that a holder has erased its part; the name becomes free with the last one. Idempotent. */
  abstract confirmErasure(uid: string, holder: ProjectHolder): Promise<void>;

  /** Takes deletions that were announced more than `patienceMs` ago and are still not confirmed; they count as announced now. */
  abstract takeUnconfirmed(patienceMs: number, limit: number, tx: Transaction): Promise<Project[]>;
}
