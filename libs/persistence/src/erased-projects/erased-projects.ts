import { type MessageType, type ProjectReference, tenantName } from '@loci/contracts';
import { type Logger } from '@loci/platform';
import { type OnModuleDestroy } from '@nestjs/common';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { type Transaction } from '../database/transaction.js';
import { type Idempotency } from '../idempotency/idempotency.js';
import { type Outbox } from '../outbox/outbox.js';
import { ExclusiveWork } from '../lease/exclusive-work.js';
import { type WorkLeases } from '../lease/work-leases.js';
import { ROWS_OF_ALL } from '../statements/row-scope.js';
import { REMOVAL_BATCH_SIZE } from '../retention/expired-rows.js';
import { forgetAnswers } from './forget-answers.sql.js';
import { forgetErasedProjects } from './forget-erased-projects.sql.js';
import { markProjectErased } from './mark-project-erased.sql.js';

/** The kind of work that erasing a project is; its key is the uid of the project. */
export const ERASURE = 'erasure';

/** How long an erasure belongs to a worker that does not renew its lease. */
const LEASE_MS = 30_000;

/** A closed project is remembered longer than a write that began before can last. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

export interface ErasedProjectsOptions {
  /** The schema; its table `projects` has `uid`, `state` (`open`, `erasing`, `erased`) and `changed_at`. */
  readonly schema: string;
  /** Tables with a column `project_uid` that have rows of a project until it is erased. */
  readonly projectTables: readonly string[];
  /** What is announced when nothing is left. */
  readonly announcement: MessageType<ProjectReference>;
}

/** Erasing projects: by one worker at a time; noted, and announced, once nothing is left. Also the injection token. */
export class ErasedProjects implements OnModuleDestroy {
  private readonly work: ExclusiveWork;

  constructor(
    private readonly options: ErasedProjectsOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
    leases: WorkLeases,
    logger: Logger,
  ) {
    this.work = new ExclusiveWork(ERASURE, leases, LEASE_MS, logger);
  }

  /**
   * Erases a project and confirms it, unless another worker is at it or the erasure was set aside: the control plane
   * announces again what was not confirmed.
   * @param eraseOnce erases all that is there; called again when something came meanwhile
   */
  async erase(reference: ProjectReference, eraseOnce: () => Promise<void>): Promise<void> {
    await this.work.run(reference.projectUid, async () => {
      do {
        await eraseOnce();
      } while (!(await this.confirm(reference)));
    });
  }

  /** What is being erased does not count as unfinished when the grace period ends it. */
  onModuleDestroy(): Promise<void> {
    return this.work.stop();
  }

  /**
   * Notes and announces that nothing is left of a closed project. Safe to repeat: it is announced each time.
   * @returns false when there is more to erase, such as another worker's step that was not visible yet
   */
  async confirm(reference: ProjectReference): Promise<boolean> {
    await this.forgetAnswers(reference);
    const isErased = await this.unitOfWork.run(async (tx) => {
      const state = await this.mark(reference.projectUid, tx);
      if (state === 'remaining') return false;
      // the name is not free before the confirmation, so these are the last answers of the incarnation that ends here
      if (state === 'erased') await this.idempotency.forget(tenantName(reference.tenant), tx);
      await this.outbox.append(tx, this.options.announcement, reference);
      return true;
    });
    if (isErased) {
      this.outbox.wake();
      await this.forget(RETENTION_MS);
    }
    return isErased;
  }

  /** @returns `remaining` when data are still there, `erased` when this call noted it, `known` when an earlier one did */
  async mark(projectUid: string, tx: Transaction): Promise<'remaining' | 'erased' | 'known'> {
    const { schema, projectTables } = this.options;
    const statement = markProjectErased(schema, projectTables);
    const [row] = await this.unitOfWork.execute(statement, [projectUid], { tx, scope: ROWS_OF_ALL });
    if (row?.remaining) return 'remaining';
    return row?.marked ? 'erased' : 'known';
  }

  /** Most of them, in steps: millions would take longer than the statement of a confirmation may. */
  private async forgetAnswers({ tenant, projectUid }: ProjectReference): Promise<void> {
    const statement = forgetAnswers(this.options.schema);
    const values = [tenantName(tenant), projectUid];
    let forgotten: number;
    do {
      const [row] = await this.unitOfWork.execute(statement, values, { scope: ROWS_OF_ALL });
      forgotten = row?.count ?? 0;
    } while (forgotten === REMOVAL_BATCH_SIZE);
  }

  /** Forgets projects that were erased longer ago. */
  async forget(olderThanMs: number): Promise<void> {
    const statement = forgetErasedProjects(this.options.schema);
    await this.unitOfWork.execute(statement, [olderThanMs / 1000], { scope: ROWS_OF_ALL });
  }
}
