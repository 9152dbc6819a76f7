import { type Tenant } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type Claim } from '../jobs/job.js';
import { SCHEMA } from '../../database.js';
import { type RefusedCommand } from './extraction-reply.js';

/** A message that waits, by name: its text is with the episodic service. */
export interface WaitingMessage {
  readonly episodeUid: string;
  readonly tenant: Tenant;
  readonly projectUid: string;
}

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

export interface MessageRow {
  readonly episode_uid: string;
  readonly org_id: string;
  readonly project_id: string;
  readonly project_uid: string;
}

interface FailureRow {
  readonly category: string;
  readonly failures: number;
  readonly retry_in_ms: number;
  readonly code: string;
  readonly reason: string;
}

/**
 * A message that was deleted meanwhile has no row, and gets no progress; nor does one that came under its uid since,
 * which no claim has taken.
 */
const MARK: PreparedStatement = {
  name: 'ingestion_mark',
  sql: `
INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt, letter_uid)
SELECT set_uid, episode_uid, $3, $4, $5, $6 FROM ${SCHEMA}.ingestion_messages
WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL
ON CONFLICT DO NOTHING`,
};

const NEXT: PreparedStatement = {
  name: 'ingestion_next',
  sql: `
SELECT episode_uid, org_id, project_id, project_uid FROM ${SCHEMA}.ingestion_messages AS message
WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL AND NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_progress AS progress
  WHERE progress.set_uid = $1 AND progress.episode_uid = message.episode_uid AND category = $2)
  AND NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_unfinished AS unfinished
  WHERE unfinished.set_uid = $1 AND unfinished.episode_uid = message.episode_uid AND category = $2
    AND batch_uid IS NOT NULL)
ORDER BY said_at, episode_uid LIMIT $3`,
};

const FAILURES: PreparedStatement = {
  name: 'ingestion_failures',
  sql: `
SELECT category, failures, code, reason,
       greatest(0, extract(epoch FROM retry_at - now()) * 1000)::float8 AS retry_in_ms
FROM ${SCHEMA}.ingestion_failures WHERE set_uid = $1`,
};

const SETTLE: PreparedStatement = {
  name: 'ingestion_settle',
  sql: `
WITH settled AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = now(), traceparents = NULL
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM unnest($2::text[]) AS wanted(category) WHERE NOT EXISTS (
      SELECT FROM ${SCHEMA}.ingestion_progress AS progress
      WHERE progress.set_uid = $1 AND progress.episode_uid = message.episode_uid
        AND progress.category = wanted.category))
  RETURNING 1
)
UPDATE ${SCHEMA}.ingestion_jobs SET waiting = waiting - (SELECT count(*) FROM settled) WHERE set_uid = $1`,
};

const FORGET_FAILURE: PreparedStatement = {
  name: 'ingestion_forget_failure',
  sql: `DELETE FROM ${SCHEMA}.ingestion_failures WHERE set_uid = $1 AND category = $2`,
};

/**
 * How far the messages of a set are. What writes runs in a transaction in which the claim was fenced.
 */
@Injectable()
export class MessagesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The messages that the category has not tried, sorted by the time at which they were said; suspects are none of them. */
  async next(setUid: string, category: string, limit: number, tx?: Transaction): Promise<WaitingMessage[]> {
    const inAll = { scope: ROWS_OF_ALL, ...(tx && { tx }) };
    const rows = await this.unitOfWork.prepared<MessageRow>(NEXT, [setUid, category, limit], inAll);
    return rows.map(toWaiting);
  }

  /**
   * The category is through with these messages; that it failed before is forgotten.
   * @param refused commands that the model drew from them and that are not carried out: a dead letter keeps why, and
   * has the messages ingested again where it is replayed
   */
  async markIngested(
    claim: Claim,
    { category, refused }: { readonly category: string; readonly refused: readonly RefusedCommand[] },
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<void> {
    const { setUid, attempt } = claim;
    const inAll = { tx, scope: ROWS_OF_ALL };
    const letter = { category, code: 'command_refused', reason: reasonFor(refused), failures: 1, refused };
    const letterUid = refused.length > 0 ? await this.writeLetter(claim, letter, tx) : null;
    const marks = [setUid, episodeUids, category, 'ingested', attempt, letterUid];
    await this.unitOfWork.prepared(MARK, marks, inAll);
    await this.unitOfWork.prepared(FORGET_FAILURE, [setUid, category], inAll);
  }

  /** Gives these messages up for the category, and keeps why. @returns the uid of the letter */
  async deadLetter(
    claim: Claim,
    letter: NewLetter,
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<string> {
    const uid = await this.writeLetter(claim, letter, tx);
    const marks = [claim.setUid, episodeUids, letter.category, 'dead', claim.attempt, uid];
    await this.unitOfWork.prepared(MARK, marks, { tx, scope: ROWS_OF_ALL });
    return uid;
  }

  async failures(setUid: string): Promise<CategoryFailure[]> {
    const rows = await this.unitOfWork.prepared<FailureRow>(FAILURES, [setUid], { scope: ROWS_OF_ALL });
    return rows.map(({ retry_in_ms, ...failure }) => ({ ...failure, retryInMs: retry_in_ms }));
  }

  async noteFailure(
    setUid: string,
    { category, failures, retryInMs, code, reason }: CategoryFailure,
    tx: Transaction,
  ): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(
      `INSERT INTO ${SCHEMA}.ingestion_failures (set_uid, category, failures, retry_at, code, reason)
       VALUES ($1, $2, $3, now() + $4::float8 * interval '1 ms', $5, $6)
       ON CONFLICT (set_uid, category) DO UPDATE
       SET failures = excluded.failures, retry_at = excluded.retry_at, code = excluded.code,
           reason = excluded.reason`,
      [setUid, category, failures, retryInMs, code, reason],
    );
  }

  /** Takes those messages out of the backlog that every one of these categories is through with. */
  async settle({ setUid }: Claim, categories: readonly string[], tx: Transaction): Promise<void> {
    await this.unitOfWork.prepared(SETTLE, [setUid, categories], { tx, scope: ROWS_OF_ALL });
  }

  private async writeLetter(
    { setUid, orgId, projectUid }: Claim,
    { category, code, reason, failures, refused }: NewLetter & { refused?: readonly RefusedCommand[] },
    tx: Transaction,
  ): Promise<string> {
    const uid = uuidv7();
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(
      `INSERT INTO ${SCHEMA}.ingestion_dead_letters
         (uid, set_uid, org_id, project_uid, category, code, reason, failures, commands)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[uid, setUid, orgId, projectUid, category, code, reason, failures],
        refused && JSON.stringify(refused),
      ],
    );
    return uid;
  }
}

export const toWaiting = (row: MessageRow): WaitingMessage => ({
  episodeUid: row.episode_uid,
  tenant: { orgId: row.org_id, projectId: row.project_id },
  projectUid: row.project_uid,
});

const reasonFor = (refused: readonly RefusedCommand[]): string =>
  [...new Set(refused.map(({ reason }) => reason))].join(' ');
