import {
  instantFromDate,
  type RelearningCost,
  type RelearningProgress,
  relearnProject,
  type SemanticRequest,
  type SemanticWriteRequest,
  startRelearning,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox, UnitOfWork } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type OpenProject } from '../../projects/project.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { rowsIn } from '../../projects/row-scope.js';
import { BEGIN_RELEARNING } from '../backlog/relearning-position.sql.js';
import { RELEARNING_COST } from './relearning-cost.sql.js';
import { RELEARNING_PROGRESS } from './relearning-progress.sql.js';

/** Has the messages of a project learned again, and says what that costs. */
@Injectable()
export class RelearningService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly rows: ProjectsRepository,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `project_not_found` */
  async preview({ tenant }: SemanticRequest): Promise<RelearningCost> {
    return this.cost(await this.projects.get(tenant));
  }

  /** @throws AppError `project_not_found` */
  async progress({ tenant }: SemanticRequest): Promise<RelearningProgress> {
    const {
      uid,
      tenant: { orgId },
    } = await this.projects.get(tenant);
    const scope = rowsIn({ orgId, projectUid: uid });
    const [row] = await this.unitOfWork.execute(RELEARNING_PROGRESS, [uid], { scope });
    if (!row) return { isRunning: false, featuresLeft: 0, messagesLeft: 0 };
    return {
      isRunning: row.put_back_at === null || row.messages > 0,
      startedAt: row.started_at,
      putBackAt: row.put_back_at ?? undefined,
      featuresLeft: row.features,
      messagesLeft: row.messages,
    };
  }

  /** @throws AppError `project_not_found`, `producer_not_allowed`, `project_being_deleted` */
  async start({ tenant, idempotency }: SemanticWriteRequest): Promise<RelearningCost> {
    requireUnbound('have messages learned again');
    const scope = { tenant: tenantName(tenant), operation: startRelearning.subject };
    const cost = await this.idempotency.runPrepared(
      scope,
      idempotency,
      async () => {
        const project = await this.projects.get(tenant);
        return { project, cost: await this.cost(project) };
      },
      async (tx, { project, cost: expected }) => {
        await this.rows.configureLearning(project, { factsOf: 'users' }, tx);
        const startedAt = instantFromDate(new Date());
        const begun = [project.uid, startedAt];
        await this.unitOfWork.execute(BEGIN_RELEARNING, begun, { tx });
        await this.outbox.append(tx, relearnProject, { tenant, projectUid: project.uid, startedAt });
        return expected;
      },
    );
    this.outbox.wake();
    return cost;
  }

  private async cost({ uid, tenant: { orgId } }: OpenProject): Promise<RelearningCost> {
    const scope = rowsIn({ orgId, projectUid: uid });
    const [row] = await this.unitOfWork.execute(RELEARNING_COST, [uid], { scope });
    const cost = row?.cost ?? undefined;
    return {
      messages: row?.messages ?? 0,
      features: row?.features ?? 0,
      calls: row?.calls ?? 0,
      inputTokens: Number(row?.input_tokens ?? 0),
      outputTokens: Number(row?.output_tokens ?? 0),
      ...(cost !== undefined && { cost: Number(cost) }),
    };
  }
}
