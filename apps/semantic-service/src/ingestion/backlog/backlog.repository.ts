import {
  type PreparedStatement,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { type Instant } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type DeletedEpisodes, isAddedUntil } from './deleted-episodes.js';
import { instantText, SCHEMA } from '../../database.js';
import { type AddedEpisode, type IncomingEpisode, type Triggers } from './backlog.js';

/** A message that was added together with many others remembers some of their traces, its own is one of them or not. */
const MAX_CAUSES = 8;

/** Jobs are locked in the order of their uids, so that two transactions cannot wait for each other. */
const TAKE: PreparedStatement = {
  name: 'backlog_take',
  sql: `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
    set_uid uuid, is_org_level boolean, episode_uid uuid, org_id text, project_id text, project_uid uuid,
    said_at timestamptz, added_at timestamptz, received_at timestamptz, traceparents text[], is_done boolean)
  WHERE NOT EXISTS (
    SELECT FROM ${SCHEMA}.deleted_episodes WHERE uid = episode_uid AND given.added_at <= added_until)
), added AS (
  INSERT INTO ${SCHEMA}.ingestion_messages
    (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, traceparents, taken_at,
     done_at)
  SELECT set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, traceparents,
         CASE WHEN is_done THEN now() END, CASE WHEN is_done THEN now() END
  FROM given ORDER BY set_uid, episode_uid
  ON CONFLICT DO NOTHING
  RETURNING set_uid, received_at, done_at
), counted AS (
  SELECT set_uid, count(*) FILTER (WHERE done_at IS NULL)::int AS fresh,
         min(received_at) FILTER (WHERE done_at IS NULL) AS fresh_since
  FROM added GROUP BY set_uid
), places AS (
  SELECT DISTINCT set_uid, org_id, CASE WHEN is_org_level THEN NULL ELSE project_uid END AS project_uid FROM given
)
INSERT INTO ${SCHEMA}.ingestion_jobs AS job (set_uid, org_id, project_uid, waiting, fresh, fresh_since)
SELECT set_uid, org_id, project_uid, fresh, fresh, fresh_since FROM counted JOIN places USING (set_uid)
ORDER BY set_uid
ON CONFLICT (set_uid) DO UPDATE
SET waiting = job.waiting + excluded.waiting, fresh = job.fresh + excluded.fresh,
    fresh_since = least(job.fresh_since, excluded.fresh_since), changed_at = now()
RETURNING set_uid`,
};

const GIVEN = 'unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS given(project_uid, uid, added_at)';

const UNKNOWN: PreparedStatement = {
  name: 'backlog_unknown',
  sql: `
SELECT uid FROM ${GIVEN} WHERE NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_messages AS known
  WHERE known.project_uid = given.project_uid AND episode_uid = uid
    AND (known.added_at IS NULL OR known.added_at >= given.added_at))`,
};

const FORMER: PreparedStatement = {
  name: 'backlog_former',
  sql: `
SELECT uid, project_uid, ${instantText('max(known.added_at)')} AS added_at
FROM ${GIVEN} JOIN ${SCHEMA}.ingestion_messages AS known USING (project_uid)
WHERE episode_uid = uid AND known.added_at < given.added_at
GROUP BY uid, project_uid`,
};

interface FormerRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly added_at: Instant;
}

/** Of messages that were ingested elsewhere for some of the categories. */
const NOTE_PROGRESS: PreparedStatement = {
  name: 'backlog_note_progress',
  sql: `
INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt)
SELECT set_uid, episode_uid, category, 'ingested', 0
FROM jsonb_to_recordset($1::jsonb) AS given(set_uid uuid, episode_uid uuid, category text)
ON CONFLICT DO NOTHING`,
};

/** The rows are locked by `TAKE` already. */
const NOTE_DUE: PreparedStatement = {
  name: 'backlog_note_due',
  sql: `
UPDATE ${SCHEMA}.ingestion_jobs
SET state = 'due', run_after = now(), ordered_at = now(), changed_at = now()
WHERE set_uid = ANY($1::uuid[]) AND state IN ('idle', 'retrying') AND fresh >= $2
RETURNING set_uid`,
};

/** What a model drew from deleted messages, without saying from which. */
const FORGET_COMMANDS = (condition: string): string => `
UPDATE ${SCHEMA}.ingestion_dead_letters SET commands = NULL
WHERE commands IS NOT NULL AND uid IN (
  SELECT letter_uid FROM ${SCHEMA}.ingestion_progress JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
  WHERE ${condition} AND letter_uid IS NOT NULL)`;

const FORGET = (condition: string): string => `
WITH locked AS MATERIALIZED (
  SELECT set_uid FROM ${SCHEMA}.ingestion_jobs
  WHERE set_uid IN (SELECT set_uid FROM ${SCHEMA}.ingestion_messages WHERE ${condition})
  ORDER BY set_uid FOR UPDATE
), gone AS (
  DELETE FROM ${SCHEMA}.ingestion_messages
  WHERE ${condition} AND set_uid IN (SELECT set_uid FROM locked)
  RETURNING set_uid, taken_at, done_at
), counted AS (
  SELECT set_uid, count(*) FILTER (WHERE done_at IS NULL)::int AS waiting,
         count(*) FILTER (WHERE done_at IS NULL AND taken_at IS NULL)::int AS fresh
  FROM gone GROUP BY set_uid
)
UPDATE ${SCHEMA}.ingestion_jobs AS job
SET waiting = job.waiting - counted.waiting, fresh = job.fresh - counted.fresh, changed_at = now(),
    fresh_since = CASE WHEN job.fresh > counted.fresh THEN job.fresh_since END
FROM counted WHERE job.set_uid = counted.set_uid`;

/** See `MessagesWithoutSet`. */
const WITHOUT_SET = `${SCHEMA}.messages_without_set`;

const DROP_EMPTY_LETTERS = `
DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.ingestion_progress WHERE letter_uid = letter.uid)`;

/** What waits to be ingested. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those of the episodes that never were in a backlog. */
  async unknown(episodes: readonly AddedEpisode[]): Promise<string[]> {
    const rows = await this.unitOfWork.prepared<{ uid: string }>(UNKNOWN, columnsOf(episodes), {
      scope: ROWS_OF_ALL,
    });
    return rows.map(({ uid }) => uid);
  }

  /** Those that were in a backlog under the uids of these episodes before these were added: they must be deleted. */
  async former(episodes: readonly AddedEpisode[]): Promise<AddedEpisode[]> {
    const rows = await this.unitOfWork.prepared<FormerRow>(FORMER, columnsOf(episodes), {
      scope: ROWS_OF_ALL,
    });
    return rows.map(({ uid, project_uid: projectUid, added_at: addedAt }) => ({ uid, projectUid, addedAt }));
  }

  /**
   * Puts episodes, of any tenants, into the backlogs of their sets, each once whatever comes how often. Those that are
   * known to be deleted are left out.
   * @returns the sets that became due by their number of fresh messages: their orders belong to this transaction
   */
  async take(episodes: readonly IncomingEpisode[], triggers: Triggers, tx: Transaction): Promise<string[]> {
    const inAll = { tx, scope: ROWS_OF_ALL };
    const rows = JSON.stringify(episodes.flatMap(toRows));
    const touched = await this.unitOfWork.prepared<{ set_uid: string }>(TAKE, [rows], inAll);
    if (touched.length === 0) return [];
    const progress = episodes.flatMap(toProgress);
    if (progress.length > 0) {
      await this.unitOfWork.prepared(NOTE_PROGRESS, [JSON.stringify(progress)], inAll);
    }
    const sets = touched.map(({ set_uid }) => set_uid);
    const due = await this.unitOfWork.prepared<{ set_uid: string }>(
      NOTE_DUE,
      [sets, triggers.messages],
      inAll,
    );
    return due.map(({ set_uid }) => set_uid);
  }

  /** Forgets deleted episodes, in every set that they were in. */
  async forgetEpisodes({ projectUid, uids, addedUntil }: DeletedEpisodes, tx: Transaction): Promise<void> {
    const condition = `project_uid = $1 AND episode_uid = ANY($2::uuid[]) AND ${isAddedUntil('$3')}`;
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(FORGET_COMMANDS(condition), [projectUid, uids, addedUntil]);
    await manager.query(FORGET(condition), [projectUid, uids, addedUntil]);
    await manager.query(`DELETE FROM ${WITHOUT_SET} WHERE ${condition}`, [projectUid, uids, addedUntil]);
    await manager.query(DROP_EMPTY_LETTERS);
  }

  /** Forgets everything that came from a project, in sets of the organization too. */
  async forgetProject(projectUid: string, tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(FORGET_COMMANDS('project_uid = $1'), [projectUid]);
    await manager.query(FORGET('project_uid = $1'), [projectUid]);
    await manager.query(`DELETE FROM ${WITHOUT_SET} WHERE project_uid = $1`, [projectUid]);
    await manager.query(DROP_EMPTY_LETTERS);
    await manager.query(`DELETE FROM ${SCHEMA}.ingestion_usage WHERE project_uid = $1`, [projectUid]);
  }
}

const columnsOf = (episodes: readonly AddedEpisode[]): string[][] => [
  episodes.map(({ projectUid }) => projectUid),
  episodes.map(({ uid }) => uid),
  episodes.map(({ addedAt }) => addedAt),
];

const toRows = ({
  uid,
  tenant,
  projectUid,
  saidAt,
  addedAt,
  receivedAt,
  causes,
  sets,
}: IncomingEpisode): object[] =>
  sets.map((set) => ({
    set_uid: set.uid,
    is_org_level: set.isOrgLevel,
    episode_uid: uid,
    org_id: tenant.orgId,
    project_id: tenant.projectId,
    project_uid: projectUid,
    said_at: saidAt,
    added_at: addedAt,
    received_at: receivedAt,
    ...(causes.length > 0 && { traceparents: causes.slice(0, MAX_CAUSES) }),
    is_done: set.ingested === 'all',
  }));

const toProgress = ({ uid, sets }: IncomingEpisode): object[] =>
  sets.flatMap(({ uid: set_uid, ingested = [] }) =>
    ingested === 'all' ? [] : ingested.map((category) => ({ set_uid, episode_uid: uid, category })),
  );
