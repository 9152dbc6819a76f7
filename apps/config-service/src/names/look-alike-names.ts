import { type AccessBounds, type AppError, nameConfusable, type Tenant } from '@loci/contracts';
import { execute, lockName, ROWS_OF_ALL, scopedManager, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { nameSkeleton } from './name-skeleton.js';
import { noteNames } from './note-names.js';
import { ConfigServiceEnv } from '../env.js';
import { ORGANIZATION_CONFLICT, PROJECT_CONFLICT } from './name-conflicts.sql.js';

/** Of the locks on names that look alike. Different names may share a lock, which costs them a wait. */
const LOCK_SEED = 61;

/** Keeps names apart that a reader would take for one. Names that look alike since before stay usable. */
@Injectable()
export class LookAlikeNames {
  constructor(private readonly env: ConfigServiceEnv) {}

  /**
   * For a project that is about to be added in the same transaction. Until that ends, no other transaction adds one that looks
   * like it: of two at the same time, one is refused.
   * @throws AppError `name_confusable` when the organization has another project that looks the same, or a key of one, or,
   * before its first project and its first key, when there is another organization that does
   */
  async refuse(tenant: Tenant, tx: Transaction): Promise<void> {
    if (this.env.LOOK_ALIKE_NAMES === 'allow') return;
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const conflict = await this.conflictOf(tenant, manager);
    if (conflict) throw conflict;
  }

  /**
   * For a key that is about to be bound in the same transaction: a name of no project looks like none that there is, and none
   * that is made later looks like it.
   * @throws AppError `name_confusable`, as for a project
   */
  async refuseBinding(bounds: AccessBounds, tx: Transaction): Promise<void> {
    if (this.env.LOOK_ALIKE_NAMES !== 'allow') await this.refuseLookAlike(bounds, tx);
    await noteNames(bounds, tx);
  }

  /**
   * For a webhook or quotas that are about to be stored for an organization in the same transaction. What has such things
   * already, from before names were checked, may have others.
   * @throws AppError `name_confusable`, as for a key
   */
  async refuseKeeping(orgId: string | undefined, tx: Transaction): Promise<void> {
    if (orgId !== undefined && this.env.LOOK_ALIKE_NAMES !== 'allow') {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const [found] = await execute(manager, ORGANIZATION_CONFLICT, [orgId, nameSkeleton(orgId)]);
      if (!found?.isKept) await this.refuseLookAlike({ orgId }, tx);
    }
    await noteNames({ orgId }, tx);
  }

  private async refuseLookAlike({ orgId, projectId }: AccessBounds, tx: Transaction): Promise<void> {
    if (orgId === undefined) return;
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
    const skeleton = nameSkeleton(projectId);
    await lockName(manager, JSON.stringify([orgId, skeleton]), LOCK_SEED);
    const [found] = await execute(manager, PROJECT_CONFLICT, [orgId, projectId, skeleton]);
    return found?.looksTaken && !found.isThere ? nameConfusable('project', projectId) : undefined;
  }

  private async conflictOfOrganization(orgId: string, manager: EntityManager): Promise<AppError | undefined> {
    const skeleton = nameSkeleton(orgId);
    const find = () => execute(manager, ORGANIZATION_CONFLICT, [orgId, skeleton]);
    const [before] = await find();
    if (before?.isThere) return undefined;
    await lockName(manager, JSON.stringify([skeleton]), LOCK_SEED);
    // something of this organization, or of another one, may have come first while the lock was waited for
    const [found] = await find();
    return found?.looksTaken && !found.isThere ? nameConfusable('organization', orgId) : undefined;
  }
}
