import { type Tenant, tenantName } from '@loci/contracts';
import { type OwnerIndex, toOwnerIndex } from '@loci/indexing';
import { RememberedUids, rowsOf, type UnitOfWork } from '@loci/persistence';
import { toOpenProject } from '../projects/project-rows.js';
import { type OpenProject } from '../projects/project.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { SEARCHED_CONVERSATION, SEARCHED_PROJECT } from './searched-project.sql.js';

/** What a search has to know before it looks for anything. */
export interface SearchedProject {
  readonly project: OpenProject;
  readonly index: OwnerIndex;
  /** Who spoke last: the producers of the newest episodes, whatever their order. */
  readonly participants: readonly string[];
  /** Of each of them, the share of the newest turns; undefined unless one conversation is searched. */
  readonly shares: ReadonlyMap<string, number> | undefined;
}

/**
 * Finds what is searched in one statement, by the uid that the project had when it was searched last; the statement checks
 * that it is still open under its name.
 */
export class SearchedProjects {
  private readonly uids = new RememberedUids();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly projects: Pick<ProjectsService, 'find'>,
  ) {}

  /**
   * @param conversation whose participants are asked for; undefined: those of the whole project
   * @returns undefined when there is no open project
   */
  find(tenant: Tenant, conversation?: string): Promise<SearchedProject | undefined> {
    return this.uids.find(tenantName(tenant), {
      read: (uid) => this.read(uid, tenant, conversation),
      lookUp: async () => (await this.projects.find(tenant))?.uid,
    });
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
        participants: row.participants.map(([producerId]) => producerId),
        shares: conversation === undefined ? undefined : sharesOf(row.participants),
      }
    );
  }
}

function sharesOf(
  participants: readonly (readonly [producerId: string, turns: number])[],
): Map<string, number> {
  const all = participants.reduce((sum, [, turns]) => sum + turns, 0);
  return new Map(participants.map(([producerId, turns]) => [producerId, turns / all]));
}
