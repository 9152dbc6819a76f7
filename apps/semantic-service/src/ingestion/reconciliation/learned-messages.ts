import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { SemanticServiceEnv } from '../../env.js';
import { STOP_INTAKE } from '../backlog/lock-intake.sql.js';
import { type Position } from './claim-cursor.sql.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';
import { REMOVE_LEARNED_MESSAGES } from './remove-learned-messages.sql.js';
import { RETURN_TO_LEFT } from './return-to-left.sql.js';

const CURSOR = 'learned-messages';
const BEGINNING: Position = ['-infinity', NIL, NIL];

/** Rows that one step removes at most: intake waits for it. */
const PAGE = 1_000;

/** A transaction that settled messages before then has committed. */
const SETTLED_MS = 60_000;

/** Steps of one round: what is not needed goes without hurry. */
const STEPS = 20;

/**
 * Removes the rows of messages that are learned from, or that nothing learns from: where the order of adding has been
 * followed to is kept instead ([decision 0078](../../../../../docs/decisions/0078-what-was-learned-leaves-no-row.md)).
 */
@Injectable()
export class LearnedMessages {
  constructor(
    private readonly cursors: CursorsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
  ) {}

  /** Takes a few steps, if it is time for them. @returns whether it was */
  async remove(signal: AbortSignal, settledMs = SETTLED_MS): Promise<boolean> {
    const retryMs = this.env.SWEEP_INTERVAL_MS;
    const goOn = (position: Position | undefined): Promise<NextStep> => this.removePage(position, settledMs);
    const begin = async (position: Position | undefined): Promise<NextStep> =>
      (await this.returnToLeft()) ?? goOn(position);
    for (let steps = 0; steps < STEPS && !signal.aborted; steps += 1) {
      if (!(await this.cursors.step(CURSOR, { retryMs }, steps === 0 ? begin : goOn))) return steps > 0;
    }
    return true;
  }

  /** @returns where the next step begins, if that is further back than this one would have begun */
  private async returnToLeft(): Promise<NextStep | undefined> {
    const [left] = await this.unitOfWork.execute(RETURN_TO_LEFT, [CURSOR]);
    return left?.position ? { position: left.position, pauseMs: 0 } : undefined;
  }

  private async removePage(position: Position | undefined, settledMs: number): Promise<NextStep> {
    const scope = ROWS_OF_ALL;
    const [end] = await this.unitOfWork.run(
      async (tx) => {
        await this.unitOfWork.execute(STOP_INTAKE, [], { tx, scope });
        const values = [...(position ?? BEGINNING), settledMs, PAGE];
        return this.unitOfWork.execute(REMOVE_LEARNED_MESSAGES, values, { tx, scope });
      },
      { scope },
    );
    const { done_at: doneAt, set_uid: setUid, episode_uid: uid } = end ?? {};
    return {
      position: doneAt && setUid && uid ? [doneAt, setUid, uid] : position,
      pauseMs: end?.is_all === false ? 0 : this.env.SWEEP_INTERVAL_MS,
    };
  }
}
