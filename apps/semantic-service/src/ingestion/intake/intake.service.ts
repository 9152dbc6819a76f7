import { type Instant } from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type IncomingEpisode, type Taking } from '../backlog/backlog.js';
import { BacklogRepository, messageRows } from '../backlog/backlog.repository.js';
import { DROP_EMPTY_LETTERS } from '../backlog/drop-empty-letters.sql.js';
import { TriggersSource } from '../settings/triggers-source.js';
import { enqueueSets } from '../jobs/enqueue-sets.js';
import { LOCK_JOBS_TO_REOPEN, REOPEN_MESSAGES } from './reopen-messages.sql.js';

@Injectable()
export class IntakeService {
  private readonly listeners: ((taking: Taking) => void)[] = [];

  constructor(
    private readonly backlog: BacklogRepository,
    private readonly triggers: TriggersSource,
    private readonly outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Notes episodes as waiting, and enqueues work on the sets that have enough of them. Harmless when repeated.
   * @param prepare finds the sets of the episodes, within the transaction
   * @returns whether anything was new
   */
  async take(
    prepare: (tx: Transaction) => Promise<readonly IncomingEpisode[]>,
    taking: Taking = 'now',
  ): Promise<boolean> {
    const triggers = this.triggers.current();
    const { sets, due } = await this.unitOfWork.run(
      async (tx) => {
        await this.backlog.shareIntake(tx);
        const taken = await this.backlog.take(await prepare(tx), { triggers, taking }, tx);
        await enqueueSets(this.outbox, taken.due, tx);
        return taken;
      },
      { scope: ROWS_OF_ALL },
    );
    if (due.length > 0) this.outbox.wake();
    if (sets > 0) for (const listener of this.listeners) listener(taking);
    return sets > 0;
  }

  /**
   * Has sets learn from episodes again, as `take` has them learn.
   * @param until when they were learned: what was learned later is as it is to be
   */
  async reopen(
    prepare: (tx: Transaction) => Promise<readonly IncomingEpisode[]>,
    until: Instant,
  ): Promise<void> {
    await this.unitOfWork.run(
      async (tx) => {
        const inAll = { tx, scope: ROWS_OF_ALL };
        const rows = messageRows(await prepare(tx));
        await this.unitOfWork.execute(LOCK_JOBS_TO_REOPEN, [rows], inAll);
        const [reopened] = await this.unitOfWork.execute(REOPEN_MESSAGES, [rows, until], inAll);
        await this.unitOfWork.execute(DROP_EMPTY_LETTERS, [reopened?.letters ?? []], inAll);
        await enqueueSets(this.outbox, reopened?.due_sets ?? [], tx);
      },
      { scope: ROWS_OF_ALL },
    );
    this.outbox.wake();
  }

  /** Calls back when this process has taken in something new, or has put it off. */
  onTaken(listener: (taking: Taking) => void): void {
    this.listeners.push(listener);
  }
}
