import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { raiseOfSets } from '../../notifications/raise-of-sets.js';
import { FORGOTTEN_REASON } from '../backlog/forget-commands.sql.js';
import { type Claim } from '../jobs/job.js';
import { ADD_LETTER } from './add-letter.sql.js';
import { CATEGORY_FAILURES } from './category-failures.sql.js';
import { COUNT_MESSAGES_THERE } from './count-messages-there.sql.js';
import { type RefusedCommand } from './extraction-reply.js';
import { MARK_DEAD, MARK_INGESTED } from './mark-messages.sql.js';
import { toWaiting } from './message-rows.js';
import { type WaitingMessage } from './waiting-message.js';
import { NEXT_MESSAGES } from './next-messages.sql.js';
import { NOTE_CATEGORY_FAILURE } from './note-category-failure.sql.js';
import { SETTLE_MESSAGES, SETTLED_AT_ONCE } from './settle-messages.sql.js';

export interface CategoryFailure {
  readonly category: string;
  readonly failures: number;
  readonly retryInMs: number;
  readonly code: string;
  readonly reason: string;
}

export interface NewLetter {
  readonly category: string;
  readonly code: string;
  readonly reason: string;
  readonly failures: number;
}

/** Messages of a set belong to any projects of its organization. */
const IN_ALL = { scope: ROWS_OF_ALL };

/**
 * How far the messages of a set are. What writes runs in a transaction in which the claim was fenced.
 */
@Injectable()
export class MessagesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The messages that the category has not tried, sorted by the time at which they were said; suspects are none of them. */
  async next(setUid: string, category: string, limit: number, tx?: Transaction): Promise<WaitingMessage[]> {
    const values = [setUid, category, limit];
    const rows = await this.unitOfWork.execute(NEXT_MESSAGES, values, { tx, ...IN_ALL });
    return rows.map(toWaiting);
  }

  /**
   * The category is through with these messages; what it had begun with, and that it failed before, is forgotten.
   * @param refused commands that the model drew from them and that are not carried out: a dead letter keeps why, and
   * has the messages ingested again where it is replayed
   * @param gone those that were not read, because they are deleted
   */
  async markIngested(
    claim: Claim,
    { category, refused }: { readonly category: string; readonly refused: readonly RefusedCommand[] },
    { read, gone }: { readonly read: readonly string[]; readonly gone: readonly string[] },
    tx: Transaction,
  ): Promise<void> {
    const { setUid, attempt } = claim;
    const letterUid =
      refused.length > 0 ? await this.keepRefused(claim, { category, refused }, read, tx) : null;
    const marks = [setUid, [...gone, ...read], category, attempt, letterUid];
    await this.unitOfWork.execute(MARK_INGESTED, marks, { tx, ...IN_ALL });
  }

  /** Gives these messages up for the category, which forgets what it had begun with, and keeps why. @returns the uid of the letter */
  async deadLetter(
    claim: Claim,
    letter: NewLetter,
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<string> {
    const uid = await this.writeLetter(claim, letter, tx);
    const marks = [claim.setUid, episodeUids, letter.category, claim.attempt, uid];
    await this.unitOfWork.execute(MARK_DEAD, marks, { tx, ...IN_ALL });
    return uid;
  }

  async failures(setUid: string): Promise<CategoryFailure[]> {
    const rows = await this.unitOfWork.execute(CATEGORY_FAILURES, [setUid], IN_ALL);
    return rows.map(({ retry_in_ms, ...failure }) => ({ ...failure, retryInMs: retry_in_ms }));
  }

  async noteFailure(
    setUid: string,
    { category, failures, retryInMs, code, reason }: CategoryFailure,
    tx: Transaction,
  ): Promise<void> {
    const values = [setUid, category, failures, retryInMs, code, reason];
    await this.unitOfWork.execute(NOTE_CATEGORY_FAILURE, values, { tx, ...IN_ALL });
  }

  /** Takes those messages out of the backlog that every one of these categories is through with. */
  async settle({ setUid }: Claim, categories: readonly string[], tx: Transaction): Promise<void> {
    for (let settled = SETTLED_AT_ONCE; settled === SETTLED_AT_ONCE;) {
      const [row] = await this.unitOfWork.execute(SETTLE_MESSAGES, [setUid, categories], { tx, ...IN_ALL });
      settled = row?.messages ?? 0;
    }
  }

  /**
   * What a model drew from a message goes with it, also where it was deleted while the model had it.
   * @returns the uid of the letter; null where all of the messages are gone
   */
  private async keepRefused(
    claim: Claim,
    { category, refused }: { readonly category: string; readonly refused: readonly RefusedCommand[] },
    read: readonly string[],
    tx: Transaction,
  ): Promise<string | null> {
    const values = [claim.setUid, read];
    const [row] = await this.unitOfWork.execute(COUNT_MESSAGES_THERE, values, { tx, ...IN_ALL });
    const there = row?.messages ?? 0;
    if (there === 0) return null;
    const kept =
      there < new Set(read).size ? { reason: FORGOTTEN_REASON } : { reason: reasonFor(refused), refused };
    return this.writeLetter(claim, { category, code: 'command_refused', failures: 1, ...kept }, tx);
  }

  private async writeLetter(
    { setUid, orgId, projectUid }: Claim,
    { category, code, reason, failures, refused }: NewLetter & { refused?: readonly RefusedCommand[] },
    tx: Transaction,
  ): Promise<string> {
    const uid = uuidv7();
    const commands = refused && JSON.stringify(refused);
    const values = [uid, setUid, orgId, projectUid, category, code, reason, failures, commands];
    await this.unitOfWork.execute(ADD_LETTER, values, { tx, ...IN_ALL });
    const data = { dead_letter_id: uid, category, code, reason };
    await raiseOfSets('dead_letter.added', { orgId, projectUid }, [{ setUid, data }], tx);
    return uid;
  }
}

/** Some reasons tell what the model wrote: not each of those is in the letter's own. */
const MAX_REASONS = 20;

const reasonFor = (refused: readonly RefusedCommand[]): string =>
  [...new Set(refused.map(({ reason }) => reason))].slice(0, MAX_REASONS).join(' ');
