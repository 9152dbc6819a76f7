import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { LearningSets } from '../intake/learning-sets.js';
import { SemanticServiceEnv } from '../../env.js';
import { toSetOfRow } from '../../sets/set-rows.js';
import { type Position } from './claim-cursor.sql.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';
import { REMOVE_UNLEARNED_MESSAGES } from './remove-unlearned-messages.sql.js';
import { SETS_WITH_JOBS } from './sets-with-jobs.sql.js';

const CURSOR = 'unlearned-messages';
const NIL = '00000000-0000-0000-0000-000000000000';

/** Sets that one step looks at, and rows that it removes at most. */
const PAGE = 100;
const REMOVED_AT_ONCE = 2_000;

/** Steps of one round: what is not needed goes without hurry. */
const STEPS = 3;

/** Removes the rows of messages from sets in which no category is at work: what former versions kept, or sets that learn no more. */
@Injectable()
export class UnlearnedMessages {
  constructor(
    private readonly cursors: CursorsRepository,
    private readonly learning: LearningSets,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
  ) {}

  /** Takes a few steps, if it is time for them. @returns whether it was */
  async remove(signal: AbortSignal): Promise<boolean> {
    const retryMs = this.env.SWEEP_INTERVAL_MS;
    const step = (position: Position | undefined): Promise<NextStep> => this.removePage(position);
    for (let steps = 0; steps < STEPS && !signal.aborted; steps += 1) {
      if (!(await this.cursors.step(CURSOR, { retryMs }, step))) return steps > 0;
    }
    return true;
  }

  private async removePage(position: Position | undefined): Promise<NextStep> {
    const scope = ROWS_OF_ALL;
    const rows = await this.unitOfWork.execute(SETS_WITH_JOBS, [position?.[0] ?? NIL, PAGE], { scope });
    const removed = await this.unitOfWork.run(
      async (tx) => {
        const learning = await this.learning.among(rows.map(toSetOfRow), tx);
        const others = rows.flatMap(({ uid }) => (learning.has(uid) ? [] : [uid]));
        if (others.length === 0) return [];
        const values = [others, REMOVED_AT_ONCE];
        return this.unitOfWork.execute(REMOVE_UNLEARNED_MESSAGES, values, { tx, scope });
      },
      { scope },
    );
    if (removed.length === REMOVED_AT_ONCE) return { position, pauseMs: 0 };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { position: undefined, pauseMs: this.env.RECONCILE_INTERVAL_MS };
    return { position: [last.uid, ''], pauseMs: 0 };
  }
}
