import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type RefusedCommand } from './extraction-reply.js';
import { FIND_READING } from './find-reading.sql.js';
import { toWaiting } from './message-rows.js';
import { NEXT_SUSPECTS } from './next-suspects.sql.js';
import { NOTE_READING } from './note-reading.sql.js';
import { SUSPECT_MESSAGES } from './suspect-messages.sql.js';
import { SUSPECTS_OF_SET } from './suspects-of-set.sql.js';
import { UNREAD_MESSAGES } from './unread-messages.sql.js';
import { type WaitingMessage } from './waiting-message.js';

/** Messages that are tried together, apart from the others of their set, because a batch that they were in failed. */
export interface SuspectBatch {
  readonly messages: readonly WaitingMessage[];
  /** How often a batch that they were in failed. */
  readonly failures: number;
}

/** All suspects of a category. */
export interface Suspects {
  readonly category: string;
  readonly messages: number;
  /** Until the first of them may be tried: 0 = now. */
  readonly retryInMs: number;
  readonly code: string;
  readonly reason: string;
}

export interface NewSuspects {
  readonly episodeUids: readonly string[];
  readonly failures: number;
  readonly retryInMs: number;
  readonly code: string;
  readonly reason: string;
}

/** How far a long message is read. */
export interface Reading {
  /** Where in its text the next part begins. */
  readonly readUntil: number;
  /** What that part may have at most: as much as the part before, which the model could read; absent before the first. */
  readonly partTokens?: number | undefined;
  readonly refused: readonly RefusedCommand[];
}

/** Messages of a set belong to any projects of its organization. */
const IN_ALL = { scope: ROWS_OF_ALL };

/**
 * What a category has begun with and is not through with. What writes runs in a transaction in which the claim was fenced.
 */
@Injectable()
export class UnfinishedMessages {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async suspects(setUid: string): Promise<Suspects[]> {
    const rows = await this.unitOfWork.execute(SUSPECTS_OF_SET, [setUid], IN_ALL);
    return rows.map(({ retry_in_ms: retryInMs, ...suspects }) => ({ ...suspects, retryInMs }));
  }

  /** Those that may be tried now, one batch of them; undefined when none may. */
  async next(setUid: string, category: string): Promise<SuspectBatch | undefined> {
    const rows = await this.unitOfWork.execute(NEXT_SUSPECTS, [setUid, category], IN_ALL);
    const [first] = rows;
    return first && { messages: rows.map(toWaiting), failures: first.failures };
  }

  /** From now on these messages are tried together, and with no others. */
  async suspect(
    setUid: string,
    category: string,
    { episodeUids, failures, retryInMs, code, reason }: NewSuspects,
    tx: Transaction,
  ): Promise<void> {
    const values = [setUid, episodeUids, category, uuidv7(), failures, retryInMs, code, reason];
    await this.unitOfWork.execute(SUSPECT_MESSAGES, values, { tx, ...IN_ALL });
  }

  /** Those of some messages of which a model made nothing: suspects, and what was given up. */
  async unread(setUid: string, episodeUids: readonly string[]): Promise<ReadonlySet<string>> {
    if (episodeUids.length === 0) return new Set();
    const rows = await this.unitOfWork.execute(UNREAD_MESSAGES, [setUid, episodeUids], IN_ALL);
    return new Set(rows.map((row) => row.episode_uid));
  }

  async reading(setUid: string, category: string, episodeUid: string): Promise<Reading> {
    const values = [setUid, episodeUid, category];
    const [row] = await this.unitOfWork.execute(FIND_READING, values, IN_ALL);
    return {
      readUntil: row?.read_until ?? 0,
      partTokens: row?.part_tokens ?? undefined,
      refused: row?.refused ?? [],
    };
  }

  async noteReading(
    setUid: string,
    category: string,
    episodeUid: string,
    { readUntil, partTokens, refused }: Reading,
    tx: Transaction,
  ): Promise<void> {
    const values = [setUid, episodeUid, category, readUntil, partTokens, JSON.stringify(refused)];
    await this.unitOfWork.execute(NOTE_READING, values, { tx, ...IN_ALL });
  }
}
