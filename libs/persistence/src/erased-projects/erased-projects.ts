import { type MessageType, type ProjectReference, tenantName } from '@loci/contracts';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { type Transaction } from '../database/transaction.js';
import { type Idempotency } from '../idempotency/idempotency.js';
import { type Outbox } from '../outbox/outbox.js';
import { ROWS_OF_ALL } from '../row-security/row-security.js';
import { forgetErasedProjects } from './forget-erased-projects.sql.js';
import { markProjectErased } from './mark-project-erased.sql.js';

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

/** The end of erasing a project: noted, and announced, once nothing is left. Also the injection token. */
export class ErasedProjects {
  constructor(
    private readonly options: ErasedProjectsOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Notes and announces that nothing is left of a closed project. Safe to repeat: it is announced each time.
   * @returns false when there is more to erase, such as another worker's step that was not visible yet
   */
  async confirm(reference: ProjectReference): Promise<boolean> {
    const isErased = await this.unitOfWork.run(async (tx) => {
      const state = await this.mark(reference.projectUid, tx);
      if (state === 'remaining') return false;
      // the name is not free before the confirmation, so these are the answers of the incarnation that ends here
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

  /** Forgets projects that were erased longer ago. */
  async forget(olderThanMs: number): Promise<void> {
    const statement = forgetErasedProjects(this.options.schema);
    await this.unitOfWork.execute(statement, [olderThanMs / 1000], { scope: ROWS_OF_ALL });
  }
}
