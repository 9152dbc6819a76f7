import { Logger, PeriodicTask } from '@loci/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { removeExpiredAnswers } from './remove-expired-answers.sql.js';
import { ROWS_OF_ALL } from '../statements/row-scope.js';
import { emptyOutbox } from './empty-outbox.sql.js';
import { REMOVAL_BATCH_SIZE } from './expired-rows.js';
import { removeOldNotes } from './remove-old-notes.sql.js';

const SWEEP_INTERVAL_MS = 60_000;

/** Removes sent messages, a partition at a time, and expired idempotency records and notes of lost messages, in small batches that hold no lock for long. */
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
    await this.unitOfWork.execute(emptyOutbox(this.options.schema));
    await this.remove(removeExpiredAnswers(this.options.schema));
    await this.remove(removeOldNotes(this.options.schema));
  }

  private async remove(statement: ReturnType<typeof removeExpiredAnswers>): Promise<void> {
    let removed: number;
    do {
      const [row] = await this.unitOfWork.execute(statement, [], { scope: ROWS_OF_ALL });
      removed = row?.count ?? 0;
    } while (removed === REMOVAL_BATCH_SIZE);
  }
}
