import { type PreparedStatement, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../../database.js';
import { type RefusedCommand } from './extraction-reply.js';
import { type WaitingMessage, type MessageRow, toWaiting } from './messages.repository.js';

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
  readonly refused: readonly RefusedCommand[];
}

const UNFINISHED = `${SCHEMA}.ingestion_unfinished`;
const WAITING = `${UNFINISHED} AS unfinished JOIN ${SCHEMA}.ingestion_messages AS message USING (set_uid, episode_uid)
  WHERE set_uid = $1 AND batch_uid IS NOT NULL AND message.done_at IS NULL`;

const OF_SET: PreparedStatement = {
  name: 'ingestion_suspects',
  sql: `
SELECT category, count(*)::int AS messages, (array_agg(code ORDER BY retry_at))[1] AS code,
       (array_agg(reason ORDER BY retry_at))[1] AS reason,
       greatest(0, extract(epoch FROM min(retry_at) - now()) * 1000)::float8 AS retry_in_ms
FROM ${WAITING} GROUP BY category`,
};

const NEXT: PreparedStatement = {
  name: 'ingestion_next_suspects',
  sql: `
SELECT episode_uid, org_id, project_id, project_uid, failures FROM ${WAITING}
  AND category = $2 AND batch_uid = (
    SELECT batch_uid FROM ${WAITING} AND category = $2 AND retry_at <= now() ORDER BY retry_at, batch_uid LIMIT 1)
ORDER BY said_at, episode_uid`,
};

/** A message that was deleted meanwhile has no row. */
const SUSPECT: PreparedStatement = {
  name: 'ingestion_suspect',
  sql: `
INSERT INTO ${UNFINISHED} (set_uid, episode_uid, category, batch_uid, failures, retry_at, code, reason)
SELECT set_uid, episode_uid, $3, $4, $5, now() + $6::float8 * interval '1 ms', $7, $8
FROM ${SCHEMA}.ingestion_messages WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL
ON CONFLICT (set_uid, episode_uid, category) DO UPDATE
SET batch_uid = excluded.batch_uid, failures = excluded.failures, retry_at = excluded.retry_at,
    code = excluded.code, reason = excluded.reason`,
};

const READING: PreparedStatement = {
  name: 'ingestion_reading',
  sql: `SELECT read_until, refused FROM ${UNFINISHED} WHERE set_uid = $1 AND episode_uid = $2 AND category = $3`,
};

/** What was read is no suspect any more. */
const NOTE_READING: PreparedStatement = {
  name: 'ingestion_note_reading',
  sql: `
INSERT INTO ${UNFINISHED} (set_uid, episode_uid, category, read_until, refused)
SELECT set_uid, episode_uid, $3, $4, $5::jsonb
FROM ${SCHEMA}.ingestion_messages WHERE set_uid = $1 AND episode_uid = $2 AND taken_at IS NOT NULL
ON CONFLICT (set_uid, episode_uid, category) DO UPDATE
SET read_until = excluded.read_until, refused = excluded.refused, failures = 0,
    batch_uid = NULL, retry_at = NULL, code = NULL, reason = NULL`,
};

const CLEAR: PreparedStatement = {
  name: 'ingestion_clear_unfinished',
  sql: `DELETE FROM ${UNFINISHED} WHERE set_uid = $1 AND category = $2 AND episode_uid = ANY($3::uuid[])`,
};

/**
 * What a category has begun with and is not through with. What writes runs in a transaction in which the claim was fenced.
 */
@Injectable()
export class UnfinishedMessages {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async suspects(setUid: string): Promise<Suspects[]> {
    const rows = await this.unitOfWork.prepared<Omit<Suspects, 'retryInMs'> & { retry_in_ms: number }>(
      OF_SET,
      [setUid],
      { scope: ROWS_OF_ALL },
    );
    return rows.map(({ retry_in_ms: retryInMs, ...suspects }) => ({ ...suspects, retryInMs }));
  }

  /** Those that may be tried now, one batch of them; undefined when none may. */
  async next(setUid: string, category: string): Promise<SuspectBatch | undefined> {
    const rows = await this.unitOfWork.prepared<MessageRow & { failures: number }>(NEXT, [setUid, category], {
      scope: ROWS_OF_ALL,
    });
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
    await this.unitOfWork.prepared(SUSPECT, values, { tx, scope: ROWS_OF_ALL });
  }

  async reading(setUid: string, category: string, episodeUid: string): Promise<Reading> {
    const [row] = await this.unitOfWork.prepared<{ read_until: number; refused: RefusedCommand[] }>(
      READING,
      [setUid, episodeUid, category],
      { scope: ROWS_OF_ALL },
    );
    return { readUntil: row?.read_until ?? 0, refused: row?.refused ?? [] };
  }

  async noteReading(
    setUid: string,
    category: string,
    episodeUid: string,
    { readUntil, refused }: Reading,
    tx: Transaction,
  ): Promise<void> {
    const values = [setUid, episodeUid, category, readUntil, JSON.stringify(refused)];
    await this.unitOfWork.prepared(NOTE_READING, values, { tx, scope: ROWS_OF_ALL });
  }

  /** The category is through with these messages. */
  async clear(
    setUid: string,
    category: string,
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<void> {
    await this.unitOfWork.prepared(CLEAR, [setUid, category, episodeUids], { tx, scope: ROWS_OF_ALL });
  }
}
