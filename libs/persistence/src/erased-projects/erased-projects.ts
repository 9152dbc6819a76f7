import { type MessageType, type ProjectReference, tenantName } from '@loci/contracts';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { type Transaction } from '../database/transaction.js';
import { type Idempotency } from '../idempotency/idempotency.js';
import { type Outbox } from '../outbox/outbox.js';
import { scopedManager } from '../row-security/connection-scope.js';
import { ROWS_OF_ALL } from '../row-security/row-security.js';

/** A closed project is remembered longer than any writer that was admitted before can still be under way. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

export interface ErasedProjectsOptions {
  /** The schema; its table `projects` has `uid`, `state` (`open`, `erasing`, `erased`) and `changed_at`. */
  readonly schema: string;
  /** Tables with a column `project_uid` that hold something of a project while it is not erased. */
  readonly holdings: readonly string[];
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
      // the name is not free before the confirmation, so these are the answers of the life that ends here
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
    const { schema, holdings } = this.options;
    const isHeld = holdings.map((table) => `EXISTS (SELECT FROM ${schema}.${table} WHERE project_uid = $1)`);
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const [row] = await manager.query<{ remaining: boolean; marked: boolean }[]>(
      `WITH left_over AS (
         SELECT ${isHeld.join(' OR ')} AS remaining
       ), marked AS (
         UPDATE ${schema}.projects SET state = 'erased', changed_at = now()
         FROM left_over WHERE uid = $1 AND state = 'erasing' AND NOT remaining
         RETURNING uid
       )
       SELECT remaining, EXISTS (SELECT FROM marked) AS marked FROM left_over`,
      [projectUid],
    );
    if (row?.remaining) return 'remaining';
    return row?.marked ? 'erased' : 'known';
  }

  /** Forgets projects that were erased longer ago. */
  async forget(olderThanMs: number): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `DELETE FROM ${this.options.schema}.projects
           WHERE state = 'erased' AND changed_at < now() - make_interval(secs => $1)`,
          [olderThanMs / 1000],
        ),
      ROWS_OF_ALL,
    );
  }
}
