import { type Tenant, tenantName } from '@loci/contracts';
import { type OwnerIndex, toOwnerIndex } from '@loci/indexing';
import { rowsOf, UnitOfWork } from '@loci/persistence';
import { RecentlyUsed } from '@loci/platform';
import { toOpenProject } from '../projects/project-rows.js';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SEARCHED_CONVERSATION, SEARCHED_PROJECT } from './searched-project.sql.js';

/** What a search has to know before it looks for anything. */
export interface SearchedProject {
  readonly project: OpenProject;
  readonly index: OwnerIndex;
  /** Who spoke last: the producers of the newest episodes, whatever their order. */
  readonly participants: readonly string[];
}

/** Projects whose uids are remembered: about 2 MB. */
const REMEMBERED = 10_000;

/**
 * Finds what is searched in one statement. It remembers which uid a name stood for, and the statement asks whether it does
 * still: a project that was deleted, or made anew under its name, is looked up by the name again.
 */
export class SearchedProjects {
  private readonly uids = new RecentlyUsed<string, string>(REMEMBERED);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly projects: Pick<ProjectsService, 'find'>,
  ) {}

  /**
   * @param conversation whose participants are asked for; undefined: those of the whole project
   * @returns undefined when there is no open project
   */
  async find(tenant: Tenant, conversation?: string): Promise<SearchedProject | undefined> {
    const name = tenantName(tenant);
    const remembered = this.uids.get(name);
    const known = remembered && (await this.read(remembered, tenant, conversation));
    if (known) return known;
    const project = await this.projects.find(tenant);
    if (!project) {
      this.uids.delete(name);
      return undefined;
    }
    this.uids.set(name, project.uid);
    return this.read(project.uid, tenant, conversation);
  }

  private async read(
    projectUid: string,
    tenant: Tenant,
    conversation: string | undefined,
  ): Promise<SearchedProject | undefined> {
    const values = [projectUid, tenant.orgId, tenant.projectId];
    const scope = rowsOf(projectUid);
    const [row] =
      conversation === undefined
        ? await this.unitOfWork.execute(SEARCHED_PROJECT, values, { scope })
        : await this.unitOfWork.execute(SEARCHED_CONVERSATION, [...values, conversation], { scope });
    return (
      row && {
        project: toOpenProject(tenant, row),
        index: toOwnerIndex(row),
        participants: row.participants,
      }
    );
  }
}
