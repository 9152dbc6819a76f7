import { type Instant } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type RefusedCommand } from '../extraction/extraction-reply.js';
import { type Scope } from '../../projects/project.js';
import { instantText, SCHEMA } from '../../database.js';
import { rowsIn } from '../../projects/row-scope.js';
import { changeableRows, visibleRows } from '../../projects/visible-rows.js';

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

const LETTERS = `${SCHEMA}.ingestion_dead_letters`;

const PROGRESS = `${SCHEMA}.ingestion_progress`;

/** Parameters 1 and 2: organization and project. */
const selectFrom = (scope: Scope): string => `
SELECT letter.uid, sets.id AS set_id, letter.project_uid IS NULL AS is_org_level, letter.category, letter.code,
       letter.reason, letter.failures, ${instantText('letter.created_at')} AS at,
       ARRAY(SELECT episode_uid FROM ${PROGRESS} JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
             WHERE letter_uid = letter.uid AND project_uid = $2::uuid ORDER BY episode_uid) AS episode_uids,
       -- they may be drawn from any of the messages
       CASE WHEN NOT EXISTS (
         SELECT FROM ${PROGRESS} JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
         WHERE letter_uid = letter.uid AND project_uid IS DISTINCT FROM $2::uuid) THEN letter.commands END AS commands
FROM ${LETTERS} AS letter JOIN ${SCHEMA}.sets ON sets.uid = letter.set_uid
WHERE ${visibleRows(scope, 'letter')}`;

interface LetterRow {
  readonly uid: string;
  readonly set_id: string;
  readonly is_org_level: boolean;
  readonly category: string;
  readonly code: string;
  readonly reason: string;
  readonly failures: number;
  readonly at: Instant;
  readonly episode_uids: string[];
  readonly commands: RefusedCommand[] | null;
}

/** Jobs are locked first, in the order of their uids, as everybody does who needs them. */
const lockJobs = (scope: Scope): string => `
SELECT 1 FROM ${SCHEMA}.ingestion_jobs
WHERE set_uid IN (SELECT set_uid FROM ${LETTERS} AS letter
  WHERE ${changeableRows(scope, 'letter')} AND ($3::uuid[] IS NULL OR uid = ANY($3)))
ORDER BY set_uid FOR UPDATE`;

const replay = (scope: Scope): string => `
WITH replayed AS (
  DELETE FROM ${LETTERS} AS letter
  WHERE ${changeableRows(scope, 'letter')} AND ($3::uuid[] IS NULL OR uid = ANY($3))
  RETURNING uid, set_uid, category
), undone AS (
  DELETE FROM ${PROGRESS} AS progress USING replayed
  WHERE progress.letter_uid = replayed.uid RETURNING progress.set_uid, progress.episode_uid
), untried AS (
  DELETE FROM ${SCHEMA}.ingestion_failures AS failure USING replayed
  WHERE failure.set_uid = replayed.set_uid AND failure.category = replayed.category
), reopened AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = NULL
  FROM (SELECT DISTINCT set_uid, episode_uid FROM undone) AS undone
  WHERE message.set_uid = undone.set_uid AND message.episode_uid = undone.episode_uid
    AND message.done_at IS NOT NULL
  RETURNING message.set_uid
), jobs AS (
  UPDATE ${SCHEMA}.ingestion_jobs AS job
  SET waiting = waiting + (SELECT count(*) FROM reopened WHERE reopened.set_uid = job.set_uid),
      state = CASE WHEN state IN ('idle', 'retrying', 'blocked') THEN 'due' ELSE state END,
      run_after = CASE WHEN state = 'running' THEN run_after ELSE now() END,
      ordered_at = now(), changed_at = now(),
      -- a pass that is under way may be past these messages: what is fresh brings about another one
      fresh = CASE WHEN state = 'running' THEN fresh + 1 ELSE fresh END,
      fresh_since = CASE WHEN state = 'running' THEN '-infinity' ELSE fresh_since END
  WHERE set_uid IN (SELECT set_uid FROM replayed) RETURNING set_uid, state)
SELECT ARRAY(SELECT uid FROM replayed) AS letters,
       ARRAY(SELECT set_uid FROM jobs WHERE state = 'due') AS due_sets`;

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
      const [counted] = await manager.query<{ total: number }[]>(
        `SELECT count(*)::int AS total FROM ${LETTERS} AS letter WHERE ${visibleRows(scope, 'letter')}`,
        [scope.orgId, scope.projectUid],
      );
      const rows = await manager.query<LetterRow[]>(
        `${selectFrom(scope)} ORDER BY letter.created_at, letter.uid LIMIT $3 OFFSET $4`,
        [scope.orgId, scope.projectUid, limit, offset],
      );
      return { letters: rows.map(toLetter), total: counted?.total ?? 0 };
    }, rowsIn(scope));
  }

  async find(scope: Scope, uid: string): Promise<IngestionDeadLetter | undefined> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<LetterRow[]>(`${selectFrom(scope)} AND letter.uid = $3`, [
          ...[scope.orgId, scope.projectUid, uid],
        ]),
      rowsIn(scope),
    );
    return row && toLetter(row);
  }

  /**
   * Puts the messages of these letters back into the backlog of their category, with all their tries.
   * @param uids absent = all of the scope
   * @returns the replayed letters, and the sets that are due now: their orders belong to this transaction
   */
  async replay(
    scope: Scope,
    uids: readonly string[] | undefined,
    tx: Transaction,
  ): Promise<{ readonly letters: string[]; readonly dueSets: string[] }> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const parameters = [scope.orgId, scope.projectUid, uids ?? null];
    await manager.query(lockJobs(scope), parameters);
    const [row] = await manager.query<{ letters: string[]; due_sets: string[] }[]>(replay(scope), parameters);
    return { letters: row?.letters ?? [], dueSets: row?.due_sets ?? [] };
  }

  /**
   * Gives the messages up for good. The progress stays, so that the messages are not taken for new ones.
   * @returns whether there was such a letter
   */
  async drop(scope: Scope, uid: string, tx: Transaction): Promise<boolean> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const [row] = await manager.query<{ count: number }[]>(
      `WITH dropped AS (DELETE FROM ${LETTERS} AS letter
         WHERE ${changeableRows(scope, 'letter')} AND letter.uid = $3 RETURNING 1)
       SELECT count(*)::int AS count FROM dropped`,
      [scope.orgId, scope.projectUid, uid],
    );
    return row?.count === 1;
  }
}

const toLetter = (row: LetterRow): IngestionDeadLetter => ({
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
