import { type Instant } from '@loci/contracts';
import {
  execute,
  type RowOf,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type RefusedCommand } from '../extraction/extraction-reply.js';
import { type Scope } from '../../projects/project.js';
import { rowsIn } from '../../projects/row-scope.js';
import { countLetters } from './count-letters.sql.js';
import { dropLetter } from './drop-letter.sql.js';
import { findLetter } from './find-letter.sql.js';
import { type LETTER_ROW } from './letter-rows.js';
import { listLetters } from './list-letters.sql.js';
import { lockJobsOfLetters } from './lock-jobs-of-letters.sql.js';
import { replayLetters } from './replay-letters.sql.js';
import { someLetters } from './some-letters.sql.js';

/** Messages that a category gave up, or commands drawn from them that it refused, and why. */
export interface IngestionDeadLetter {
  readonly uid: string;
  /** Public id of the set. */
  readonly setId: string;
  readonly isOrgLevel: boolean;
  readonly category: string;
  /** Those of the project that asks. */
  readonly episodeUids: readonly string[];
  readonly code: string;
  readonly reason: string;
  readonly failures: number;
  readonly at: Instant;
  /** Of messages that are ingested but for single commands: these. */
  readonly commands?: readonly RefusedCommand[] | undefined;
}

export interface LetterPage {
  readonly offset: number;
  readonly limit: number;
}

/** Letters that a scope does not show are not there. */
@Injectable()
export class IngestionDeadLettersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Oldest first. */
  list(
    scope: Scope,
    { offset, limit }: LetterPage,
  ): Promise<{ letters: IngestionDeadLetter[]; total: number }> {
    return this.unitOfWork.single(async (manager) => {
      const owner = [scope.orgId, scope.projectUid];
      const [counted] = await execute(manager, countLetters(scope), owner);
      const rows = await execute(manager, listLetters(scope), [...owner, limit, offset]);
      return { letters: rows.map(toLetter), total: counted?.total ?? 0 };
    }, rowsIn(scope));
  }

  async find(scope: Scope, uid: string): Promise<IngestionDeadLetter | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const [row] = await this.unitOfWork.execute(findLetter(scope), values, { scope: rowsIn(scope) });
    return row && toLetter(row);
  }

  /** @returns uids of letters that the scope may change, in whichever sequence */
  async some(scope: Scope, limit: number, tx?: Transaction): Promise<string[]> {
    const values = [scope.orgId, scope.projectUid, limit];
    const rows = await this.unitOfWork.execute(someLetters(scope), values, { tx, scope: rowsIn(scope) });
    return rows.map(({ uid }) => uid);
  }

  /**
   * Puts the messages of these letters back into the backlog of their category, with all their tries.
   * @param uids those of letters that the scope may not change, or that are gone, are passed over
   * @returns the replayed letters, and the sets that are due now: their work messages belong to this transaction
   */
  async replay(
    scope: Scope,
    uids: readonly string[],
    tx: Transaction,
  ): Promise<{ readonly letters: string[]; readonly dueSets: string[] }> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const parameters = [scope.orgId, scope.projectUid, uids];
    await execute(manager, lockJobsOfLetters(scope), parameters);
    const [row] = await execute(manager, replayLetters(scope), parameters);
    return { letters: row?.letters ?? [], dueSets: row?.due_sets ?? [] };
  }

  /**
   * Gives the messages up for good. The progress stays, so that the messages are not taken for new ones.
   * @returns whether there was such a letter
   */
  async drop(scope: Scope, uid: string, tx: Transaction): Promise<boolean> {
    const values = [scope.orgId, scope.projectUid, uid];
    const dropped = await this.unitOfWork.execute(dropLetter(scope), values, { tx, scope: rowsIn(scope) });
    return dropped.length === 1;
  }
}

const toLetter = (row: RowOf<typeof LETTER_ROW>): IngestionDeadLetter => ({
  uid: row.uid,
  setId: row.set_id,
  isOrgLevel: row.is_org_level,
  category: row.category,
  episodeUids: row.episode_uids,
  code: row.code,
  reason: row.reason,
  failures: row.failures,
  at: row.at,
  commands: row.commands ?? undefined,
});
