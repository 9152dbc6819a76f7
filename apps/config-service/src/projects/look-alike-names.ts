import { type AppError, nameConfusable, type Tenant } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ConfigServiceEnv } from '../env.js';
import { fillSkeletons } from './fill-skeletons.js';
import { nameSkeleton } from './name-skeleton.js';

const PROJECTS = `${SCHEMA}.projects`;

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
   * For a project that is about to be added in the same transaction. Until that ends, nobody else adds one that looks
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

  private async conflictOf(
    { orgId, projectId }: Tenant,
    manager: EntityManager,
  ): Promise<AppError | undefined> {
    const [org, project] = [nameSkeleton(orgId), nameSkeleton(projectId)];
    const isNewOrg = !(await exists(manager, 'org_id = $1', [orgId]));
    if (isNewOrg) await lock(manager, JSON.stringify([org]));
    await lock(manager, JSON.stringify([orgId, project]));
    if (isNewOrg && (await exists(manager, 'org_skeleton = $2 AND org_id <> $1', [orgId, org]))) {
      // another project of this organization may have come first while the lock was waited for
      if (!(await exists(manager, 'org_id = $1', [orgId]))) return nameConfusable('organization', orgId);
    }
    const isTaken = await exists(
      manager,
      `org_id = $1 AND project_skeleton = $2 AND project_id <> $3
       AND NOT EXISTS (SELECT 1 FROM ${PROJECTS} WHERE org_id = $1 AND project_id = $3)`,
      [orgId, project, projectId],
    );
    return isTaken ? nameConfusable('project', projectId) : undefined;
  }
}

/** Until the transaction ends. Different names may share a lock, which costs them a wait. */
async function lock(manager: EntityManager, name: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 61))`, [name]);
}

async function exists(manager: EntityManager, condition: string, parameters: string[]): Promise<boolean> {
  const sql = `SELECT EXISTS (SELECT 1 FROM ${PROJECTS} WHERE ${condition}) AS found`;
  const [row] = await manager.query<{ found: boolean }[]>(sql, parameters);
  return row?.found === true;
}
