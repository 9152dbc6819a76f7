import { type AccessBounds, type AppError, nameConfusable, type Tenant } from '@loci/contracts';
import { lockName, ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, Not } from 'typeorm';
import { ConfigServiceEnv } from '../env.js';
import { fillSkeletons } from './fill-skeletons.js';
import { nameSkeleton } from './name-skeleton.js';
import { ProjectEntity } from './project.entity.js';

/** Of the locks on names that look alike. Different names may share a lock, which costs them a wait. */
const LOCK_SEED = 61;

/** Keeps names apart that a reader would take for one. Names that look alike since before stay usable. */
@Injectable()
export class LookAlikeNames implements OnApplicationBootstrap {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly env: ConfigServiceEnv,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.unitOfWork.single((manager) => fillSkeletons(manager), ROWS_OF_ALL);
  }

  /**
   * For a project that is about to be added in the same transaction. Until that ends, no other transaction adds one that looks
   * like it: of two at the same time, one is refused.
   * @throws AppError `name_confusable` when the organization has another project that looks the same, or, before its first
   * project, when there is another organization that does
   */
  async refuse(tenant: Tenant, tx: Transaction): Promise<void> {
    if (this.env.LOOK_ALIKE_NAMES === 'allow') return;
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const conflict = await this.conflictOf(tenant, manager);
    if (conflict) throw conflict;
  }

  /**
   * For a key that is about to be bound: a name of no project looks like none that there is.
   * @throws AppError `name_confusable`, as for a project
   */
  async refuseBinding({ orgId, projectId }: AccessBounds, tx: Transaction): Promise<void> {
    if (orgId === undefined || this.env.LOOK_ALIKE_NAMES === 'allow') return;
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const conflict =
      projectId === undefined
        ? await this.conflictOfOrganization(orgId, manager)
        : await this.conflictOf({ orgId, projectId }, manager);
    if (conflict) throw conflict;
  }

  private async conflictOf(
    { orgId, projectId }: Tenant,
    manager: EntityManager,
  ): Promise<AppError | undefined> {
    const ofOrganization = await this.conflictOfOrganization(orgId, manager);
    if (ofOrganization) return ofOrganization;
    const project = nameSkeleton(projectId);
    await lockName(manager, JSON.stringify([orgId, project]), LOCK_SEED);
    const exists = existsIn(manager);
    const looksTaken = await exists({ orgId, projectSkeleton: project, projectId: Not(projectId) });
    const isTaken = looksTaken && !(await exists({ orgId, projectId }));
    return isTaken ? nameConfusable('project', projectId) : undefined;
  }

  private async conflictOfOrganization(orgId: string, manager: EntityManager): Promise<AppError | undefined> {
    const exists = existsIn(manager);
    if (await exists({ orgId })) return undefined;
    const org = nameSkeleton(orgId);
    await lockName(manager, JSON.stringify([org]), LOCK_SEED);
    if (!(await exists({ orgId: Not(orgId), orgSkeleton: org }))) return undefined;
    // another project of this organization may have come first while the lock was waited for
    return (await exists({ orgId })) ? undefined : nameConfusable('organization', orgId);
  }
}

const existsIn =
  (manager: EntityManager) =>
  (where: FindOptionsWhere<ProjectEntity>): Promise<boolean> =>
    manager.existsBy(ProjectEntity, where);
