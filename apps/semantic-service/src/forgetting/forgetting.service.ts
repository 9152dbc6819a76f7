import { type LearnedOnlyFromRequest } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../projects/projects.service.js';
import { rowsIn } from '../projects/row-scope.js';
import { COUNT_LEARNED_ONLY_FROM } from './count-learned-only-from.sql.js';

/** Says what would be forgotten with episodes; a worker does it when they are deleted (../erasure). */
@Injectable()
export class ForgettingService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** How many features these episodes alone support, of those that no client wrote. A missing project has none. */
  async countLearnedOnlyFrom({ tenant, episodeUids }: LearnedOnlyFromRequest): Promise<number> {
    const project = await this.projects.find(tenant);
    if (!project) return 0;
    const values = [project.uid, episodeUids];
    const scope = rowsIn({ orgId: tenant.orgId, projectUid: project.uid });
    const [row] = await this.unitOfWork.execute(COUNT_LEARNED_ONLY_FROM, values, { scope });
    return row?.features ?? 0;
  }
}
