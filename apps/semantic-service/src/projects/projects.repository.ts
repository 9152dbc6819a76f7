import { type ConfiguredProject, type FactsOf, type ProjectReference, type Tenant } from '@loci/contracts';
import { ROWS_OF_ALL, type RowScope, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ADOPT_MODELS } from './adopt-models.sql.js';
import { CLOSE_PROJECT } from './close-project.sql.js';
import { FIND_OPEN_PROJECT } from './find-open-project.sql.js';
import { LEARNING_SETTINGS } from './learning-settings.sql.js';
import { HOLD_PROJECTS } from './hold-projects.sql.js';
import { OPEN_PROJECT } from './open-project.sql.js';
import { ProjectEntity } from './project.entity.js';
import { toOpenProject } from './project-rows.js';
import { type OpenProject, type Owner } from './project.js';
import { rowsIn } from './row-scope.js';

/** How a project is learned from. */
export interface LearningSettings {
  /** Whose messages it trusts, see `isTrustedProducer`. */
  readonly trustedProducers: readonly string[];
  readonly factsOf: FactsOf;
}

/** The projects that this service has data of. */
@Injectable()
export class ProjectsRepository {
  /** The open projects that each running transaction holds, of the rows of a scope. */
  private readonly held = new WeakMap<Transaction, Map<RowScope, Set<string>>>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  async findOpen(tenant: Tenant, tx?: Transaction): Promise<OpenProject | undefined> {
    const values = [tenant.orgId, tenant.projectId];
    const [row] = await this.unitOfWork.execute(FIND_OPEN_PROJECT, values, { tx, scope: rowsOf(tenant) });
    return row && toOpenProject(tenant, row);
  }

  /** Opens the project unless it is known already, closed included. */
  async open({ projectUid, tenant }: ProjectReference): Promise<void> {
    const values = [projectUid, tenant.orgId, tenant.projectId];
    await this.unitOfWork.execute(OPEN_PROJECT, values, { scope: rowsOf(tenant) });
  }

  /** Notes the models that an open project chose, unless a newer choice is known. */
  async adoptModels({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    const values = [projectUid, models.reranker, models.revision];
    await this.unitOfWork.execute(ADOPT_MODELS, values, { scope: rowsOf(tenant) });
  }

  /** How projects of the owner's organization are learned from, by uid. Projects that are not known are left out. */
  async learningSettings(
    owner: Owner,
    projectUids: readonly string[],
    tx?: Transaction,
  ): Promise<ReadonlyMap<string, LearningSettings>> {
    const rows = await this.unitOfWork.execute(LEARNING_SETTINGS, [projectUids], {
      tx,
      scope: rowsIn(owner),
    });
    return new Map(
      rows.map(({ uid, trusted_producers: trustedProducers, facts_of: factsOf }) => [
        uid,
        { trustedProducers, factsOf },
      ]),
    );
  }

  /** Changes how an open project is learned from. Waits for ingestion of the project that is being written. */
  async configureLearning(
    { uid, tenant }: Pick<OpenProject, 'uid' | 'tenant'>,
    {
      trustedProducers,
      factsOf,
    }: { readonly [Name in keyof LearningSettings]?: LearningSettings[Name] | undefined },
    tx: Transaction,
  ): Promise<void> {
    const manager = await scopedManager(tx, rowsOf(tenant));
    const changed = {
      ...(trustedProducers && { trustedProducers: [...trustedProducers] }),
      ...(factsOf && { factsOf }),
      changedAt: new Date(),
    };
    await manager.update(ProjectEntity, { uid, state: 'open' }, changed);
  }

  /**
   * Keeps projects of the owner's organization from being closed until the transaction ends.
   * @returns those of the uids that are open
   */
  keepOpen(owner: Owner, projectUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    return this.hold(projectUids, { tx, scope: rowsIn(owner) });
  }

  /** As `keepOpen`, projects of any organizations. */
  keepAllOpen(projectUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    return this.hold(projectUids, { tx, scope: ROWS_OF_ALL });
  }

  /** As `hold`, alone: what holds the project has ended, and what comes waits. @returns whether it is open */
  async lock(projectUid: string, tx: Transaction): Promise<boolean> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const where = { uid: projectUid };
    const project = await manager.findOne(ProjectEntity, { where, lock: { mode: 'pessimistic_write' } });
    return project?.state === 'open';
  }

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  async close({ projectUid, tenant }: ProjectReference): Promise<void> {
    const values = [projectUid, tenant.orgId, tenant.projectId];
    await this.unitOfWork.execute(CLOSE_PROJECT, values, { scope: rowsOf(tenant) });
  }

  /** Asks for those that the transaction does not hold yet. */
  private async hold(
    projectUids: readonly string[],
    { tx, scope }: { readonly tx: Transaction; readonly scope: RowScope },
  ): Promise<Set<string>> {
    const heldByScope = this.held.get(tx) ?? new Map<RowScope, Set<string>>();
    const held = heldByScope.get(scope) ?? new Set<string>();
    const others = projectUids.filter((uid) => !held.has(uid));
    if (others.length > 0) {
      const rows = await this.unitOfWork.execute(HOLD_PROJECTS, [others], { tx, scope });
      this.held.set(tx, heldByScope.set(scope, new Set([...held, ...rows.map(({ uid }) => uid)])));
    }
    return new Set(projectUids.filter((uid) => heldByScope.get(scope)?.has(uid)));
  }
}

/** A project is found by its name before its uid is known. */
const rowsOf = ({ orgId }: Tenant): RowScope => rowsIn({ orgId, projectUid: undefined });
