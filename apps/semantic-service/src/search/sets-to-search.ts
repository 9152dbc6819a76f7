import { type Tenant, tenantName } from '@loci/contracts';
import { type OwnerIndex } from '@loci/indexing';
import { RememberedUids, type UnitOfWork } from '@loci/persistence';
import { toOpenProject } from '../projects/project-rows.js';
import { type OpenProject } from '../projects/project.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { rowsIn } from '../projects/row-scope.js';
import { setsOfMetadata } from '../sets/sets-of-metadata.js';
import { type MemorySet } from '../sets/set.js';
import { SEARCHED_SETS } from './searched-sets.sql.js';

/** What a search has to know before it looks for anything. */
export interface SearchedSets {
  readonly project: OpenProject;
  /** Those that messages with the metadata go to, the project's own first. */
  readonly sets: readonly MemorySet[];
  /** The index of a set as it was read with the project; undefined: it was not read. */
  readonly indexOf: (set: MemorySet) => OwnerIndex | undefined;
}

/**
 * Finds what is searched in one statement, by the uid that the project had when it was searched last; the statement checks
 * that it is still open under its name. So a project without features costs no more than this statement.
 */
export class SetsToSearch {
  private readonly uids = new RememberedUids();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly projects: Pick<ProjectsService, 'find'>,
  ) {}

  /** @returns undefined when there is no open project */
  find(tenant: Tenant, metadata: Readonly<Record<string, string>>): Promise<SearchedSets | undefined> {
    return this.uids.find(tenantName(tenant), {
      read: (uid) => this.read(uid, tenant, metadata),
      lookUp: async () => (await this.projects.find(tenant))?.uid,
    });
  }

  private async read(
    projectUid: string,
    tenant: Tenant,
    metadata: Readonly<Record<string, string>>,
  ): Promise<SearchedSets | undefined> {
    const { orgId, projectId } = tenant;
    const known = setsOfMetadata({ tenant, uid: projectUid }, [], metadata);
    const values = [orgId, projectUid, projectId, known.map(({ uid }) => uid)];
    const scope = rowsIn({ orgId, projectUid });
    const [row] = await this.unitOfWork.execute(SEARCHED_SETS, values, { scope });
    if (!row) return undefined;
    const types = row.types.map(({ tags, projectUid }) => ({ tags, projectUid: projectUid ?? undefined }));
    const indexes = new Map(row.indexes.map(({ setUid, ...index }) => [setUid, index]));
    return {
      project: toOpenProject(tenant, row),
      sets: row.types.length === 0 ? known : setsOfMetadata({ tenant, uid: projectUid }, types, metadata),
      indexOf: ({ uid }) => indexes.get(uid),
    };
  }
}
