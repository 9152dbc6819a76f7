import {
  type AccessBounds,
  deleteProject,
  MAX_ANSWER_BYTES,
  type ProjectModels,
  type Tenant,
} from '@loci/contracts';
import {
  ROWS_OF_ALL,
  type RowScope,
  rowsOf,
  rowsWithin as boundedRows,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { CONFIRM_ERASURE } from './confirm-erasure.sql.js';
import { FORGET_ERASED_PROJECT } from './forget-erased-project.sql.js';
import { LIST_PROJECTS } from './list-projects.sql.js';
import { type Project, type ProjectHolder } from './project.js';
import { REMOVE_PROJECT_DELIVERIES } from './remove-project-deliveries.sql.js';
import { REMOVE_PROJECT_NOTIFICATIONS } from './remove-project-notifications.sql.js';
import { nameSkeleton } from '../names/name-skeleton.js';
import { ProjectEntity } from './project.entity.js';

export type NewProject = Omit<Project, 'isBeingDeleted'>;

/** What is left when the project is removed goes with it, in one statement. */
const REMOVED_AT_ONCE = 1_000;

const ONE_ORGANIZATION =
  'ask with keys that are bound to one organization, or delete projects that are not needed';

/** Where projects are kept. A name belongs to one project at a time, also while that one is being deleted. */
@Injectable()
export class ProjectsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @returns false when the name is taken */
  add({ uid, tenant, description, config, models }: NewProject, tx?: Transaction): Promise<boolean> {
    return this.with(tx, rowsOf(tenant.orgId), async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(ProjectEntity)
        .values({
          uid,
          ...tenant,
          ...skeletonsOf(tenant),
          description,
          config,
          ...columnsOf(models),
          pendingErasures: [],
        })
        .orIgnore()
        .returning('uid')
        .execute();
      return Array.isArray(inserted.raw) && inserted.raw.length === 1;
    });
  }

  /** Projects being deleted are found too. */
  find(tenant: Tenant, tx?: Transaction): Promise<Project | undefined> {
    return this.with(tx, rowsOf(tenant.orgId), async (manager) => {
      const row = await manager.findOneBy(ProjectEntity, nameColumns(tenant));
      return row ? toProject(row) : undefined;
    });
  }

  /** Finds a project, and keeps others from changing or deleting it until the transaction ends. */
  async hold(tenant: Tenant, tx: Transaction): Promise<Project | undefined> {
    const manager = await scopedManager(tx, rowsOf(tenant.orgId));
    const lock = { mode: 'pessimistic_read' } as const;
    const row = await manager.findOne(ProjectEntity, { where: nameColumns(tenant), lock });
    return row ? toProject(row) : undefined;
  }

  /**
   * The projects that exist for their users, by organization, then name.
   * @throws AppError `body_too_large`
   */
  async list({ orgId, projectId }: AccessBounds = {}): Promise<Tenant[]> {
    const scope = orgId === undefined ? ROWS_OF_ALL : rowsOf(orgId);
    const values = [orgId, projectId, MAX_ANSWER_BYTES];
    const rows = await this.unitOfWork.execute(LIST_PROJECTS, values, { scope });
    const found = boundedRows(rows, { maxBytes: MAX_ANSWER_BYTES, remedy: ONE_ORGANIZATION });
    return found.map(({ org_id, project_id }) => ({ orgId: org_id, projectId: project_id }));
  }

  /** The projects that exist for their users and were chose this model, by name, at most `limit`. */
  listUsing(
    model: 'embedder' | 'reranker',
    name: string,
    limit: number,
    tx?: Transaction,
  ): Promise<Tenant[]> {
    return this.with(tx, ROWS_OF_ALL, (manager) =>
      manager.find(ProjectEntity, {
        select: { orgId: true, projectId: true },
        where: { deletedAt: IsNull(), [model]: name },
        order: { orgId: 'ASC', projectId: 'ASC' },
        take: limit,
      }),
    );
  }

  /**
   * Changes which models a project uses; what is absent stays. The revision grows only with a real change.
   * @returns the project as it is now, and whether it changed; undefined when none of that name exists for its users
   */
  async configure(
    tenant: Tenant,
    change: { embedder?: string | undefined; reranker?: string | undefined },
    tx: Transaction,
  ): Promise<{ project: Project; isChanged: boolean } | undefined> {
    const manager = await scopedManager(tx, rowsOf(tenant.orgId));
    const row = await manager.findOne(ProjectEntity, {
      where: { ...nameColumns(tenant), deletedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) return undefined;
    const { embedder = row.embedder, reranker = row.reranker } = change;
    const isChanged = embedder !== row.embedder || reranker !== row.reranker;
    const changed = { embedder, reranker, modelsRevision: row.modelsRevision + (isChanged ? 1 : 0) };
    if (isChanged) await manager.update(ProjectEntity, { uid: row.uid }, changed);
    return { project: toProject({ ...row, ...changed }), isChanged };
  }

  /**
   * Marks the project deleted and notes who has to confirm.
   * @returns the project as it is now; undefined when there is none of that name
   */
  async markDeleted(
    tenant: Tenant,
    holders: readonly ProjectHolder[],
    tx: Transaction,
  ): Promise<{ project: Project; isNewlyDeleted: boolean } | undefined> {
    const manager = await scopedManager(tx, rowsOf(tenant.orgId));
    const row = await manager.findOne(ProjectEntity, {
      where: nameColumns(tenant),
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) return undefined;
    if (row.deletedAt) return { project: toProject(row), isNewlyDeleted: false };
    const now = new Date();
    const deleted = { deletedAt: now, announcedAt: now, pendingErasures: [...holders] };
    await manager.update(ProjectEntity, { uid: row.uid }, deleted);
    return { project: toProject({ ...row, ...deleted }), isNewlyDeleted: true };
  }

  /**
   * Notes that a holder has erased its part. With the last one, what clients were told of the project goes, in steps, and then
   * the project, which frees its name. Idempotent: what was not finished is when it is called again.
   */
  async confirmErasure(uid: string, holder: ProjectHolder): Promise<void> {
    const scope = ROWS_OF_ALL;
    const [confirmed] = await this.unitOfWork.execute(CONFIRM_ERASURE, [uid, holder], { scope });
    if (!confirmed?.is_erased) return;
    for (const statement of [REMOVE_PROJECT_DELIVERIES, REMOVE_PROJECT_NOTIFICATIONS]) {
      const remove = () => this.unitOfWork.execute(statement, [uid, REMOVED_AT_ONCE], { scope });
      while ((await remove())[0]?.removed === REMOVED_AT_ONCE);
    }
    await this.unitOfWork.execute(FORGET_ERASED_PROJECT, [uid, deleteProject.subject], { scope });
  }

  /** Takes deletions that were announced more than `patienceMs` ago and are still not confirmed; they count as announced now. */
  async takeUnconfirmed(patienceMs: number, limit: number, tx: Transaction): Promise<Project[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const rows = await manager
      .createQueryBuilder(ProjectEntity, 'project')
      .where('project.deletedAt IS NOT NULL')
      .andWhere(`project.announcedAt < now() - make_interval(secs => :seconds)`, {
        seconds: patienceMs / 1000,
      })
      .orderBy('project.announcedAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    if (rows.length > 0) {
      await manager.update(
        ProjectEntity,
        rows.map(({ uid }) => uid),
        { announcedAt: new Date() },
      );
    }
    return rows.map(toProject);
  }

  private async with<T>(
    tx: Transaction | undefined,
    rows: RowScope,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return tx ? work(await scopedManager(tx, rows)) : this.unitOfWork.single(work, rows);
  }
}

const nameColumns = ({ orgId, projectId }: Tenant): { orgId: string; projectId: string } => ({
  orgId,
  projectId,
});

const skeletonsOf = ({ orgId, projectId }: Tenant) => ({
  orgSkeleton: nameSkeleton(orgId),
  projectSkeleton: nameSkeleton(projectId),
});

const columnsOf = ({ embedder, reranker, revision }: ProjectModels) => ({
  embedder,
  reranker,
  modelsRevision: revision,
});

const toProject = (row: ProjectEntity): Project => ({
  uid: row.uid,
  tenant: { orgId: row.orgId, projectId: row.projectId },
  description: row.description,
  config: row.config,
  models: { embedder: row.embedder, reranker: row.reranker, revision: row.modelsRevision },
  isBeingDeleted: row.deletedAt !== null,
});
