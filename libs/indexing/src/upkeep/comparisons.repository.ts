import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedTable } from '../index-versions/indexed-table.js';
import { claimComparison } from './claim-comparison.sql.js';
import { compareAnew } from './compare-anew.sql.js';
import { noteComparison } from './note-comparison.sql.js';

/** A turn to compare some of a collection with the table. */
export interface ComparisonTurn {
  readonly fingerprint: string;
  /** Tells the turn from the next. */
  readonly token: string;
  /** Where the comparison of all that is under way goes on; undefined when none is. */
  readonly from: string | undefined;
  /** Whether that comparison has found a difference. */
  readonly differs: boolean;
  /** Whether it is time to compare all of the collection again. */
  readonly isDue: boolean;
}

/** How a turn ended. */
export interface ComparisonProgress {
  readonly from: string | undefined;
  readonly differs: boolean;
  /** Whether all was compared. */
  readonly isComplete: boolean;
  /** Until the next turn. */
  readonly pauseMs: number;
}

const statementsOf = (table: IndexedTable) => ({
  claim: claimComparison(table),
  note: noteComparison(table),
  anew: compareAnew(table),
});

const IN_ALL = { scope: ROWS_OF_ALL };

/** How far each collection is compared. All workers share one comparison, and one turn at a time. */
@Injectable()
export class ComparisonsRepository {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  /**
   * @param pauseMs until another worker takes the turn of one that ended
   * @param intervalMs after which all is compared again
   * @returns undefined when it is not time, or another worker has the turn
   */
  async claim(fingerprint: string, pauseMs: number, intervalMs: number): Promise<ComparisonTurn | undefined> {
    const parameters = [fingerprint, pauseMs / 1000, intervalMs / 1000];
    const [row] = await this.unitOfWork.execute(this.statements.claim, parameters, IN_ALL);
    return row && { ...row, fingerprint, from: row.from ?? undefined };
  }

  /** Changes nothing once another turn was taken, or the comparison was begun again. */
  async note(turn: ComparisonTurn, progress: ComparisonProgress): Promise<void> {
    const { from, differs, isComplete, pauseMs } = progress;
    const parameters = [turn.fingerprint, turn.token, from, differs, isComplete, pauseMs / 1000];
    await this.unitOfWork.execute(this.statements.note, parameters, IN_ALL);
  }

  /** Has all of a collection compared again, in a while. */
  async begin(fingerprint: string, delayMs: number): Promise<void> {
    await this.unitOfWork.execute(this.statements.anew, [fingerprint, delayMs / 1000], IN_ALL);
  }
}
