import { Logger, PeriodicTask } from '@loci/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { qualified } from '../database/qualified-name.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ROWS_OF_ALL } from '../row-security/row-security.js';

const SWEEP_INTERVAL_MS = 60_000;
const BATCH_SIZE = 1_000;
/** Sent messages are kept so that an operator can see what was announced, and when. */
const SENT_RETENTION_HOURS = 24;

/** Removes sent messages and expired idempotency records, in small batches that hold no lock for long. */
@Injectable()
export class RetentionSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'removal of old records',
      intervalMs: SWEEP_INTERVAL_MS,
      work: () => this.sweep(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  async sweep(): Promise<void> {
    await this.remove('outbox', `sent_at < now() - interval '${SENT_RETENTION_HOURS} hours'`);
    await this.remove('idempotency', 'expires_at < now()');
  }

  private async remove(name: string, condition: string): Promise<void> {
    const table = qualified(this.options.schema, name);
    const sql =
      `WITH removed AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(` +
      `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)) RETURNING 1) ` +
      `SELECT count(*)::int AS count FROM removed`;
    let removed: number;
    do {
      const [row] = await this.unitOfWork.single(
        (manager) => manager.query<{ count: number }[]>(sql),
        ROWS_OF_ALL,
      );
      removed = row?.count ?? 0;
    } while (removed === BATCH_SIZE);
  }
}
