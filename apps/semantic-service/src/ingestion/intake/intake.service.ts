import { ingestSet } from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type IncomingEpisode, type Taking } from '../backlog/backlog.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { TriggersSource } from '../settings/triggers-source.js';

@Injectable()
export class IntakeService {
  private readonly listeners: (() => void)[] = [];

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
        const taken = await this.backlog.take(await prepare(tx), { triggers, taking }, tx);
        for (const setUid of taken.due) await this.outbox.append(tx, ingestSet, { setUid });
        return taken;
      },
      { scope: ROWS_OF_ALL },
    );
    if (due.length > 0) this.outbox.wake();
    if (sets > 0) for (const listener of this.listeners) listener();
    return sets > 0;
  }

  /** Calls back when this process has taken in something new. */
  onTaken(listener: () => void): void {
    this.listeners.push(listener);
  }
}
