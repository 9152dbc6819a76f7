import { type ProjectReference } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  type RowScope,
  rowsOf,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { SCHEMA } from '../database.js';
import { type EpisodeRow, IS_LIVE, toEpisode } from '../episodes/episode-rows.js';
import { NEXT_TO_SUMMARIZE } from './next-to-summarize.sql.js';

/** The right to write the summary of a project, until somebody else has a higher fence. */
export interface SummaryClaim {
  readonly projectUid: string;
  readonly fence: number;
}

export interface HeldSummary extends SummaryClaim {
  readonly text: string;
}

/** Puts the work order for a project into the transaction. */
export type SummaryOrder = (tx: Transaction, project: ProjectReference) => Promise<void>;

const SUMMARIES = `${SCHEMA}.summaries`;

const EPISODES = `${SCHEMA}.episodes`;

/** Episodes whose marks are taken away in one statement. */
const RESET_STEP = 1_000;

const MAX_PAUSE_SECONDS = 300;

const TEXT_OF: PreparedStatement = {
  name: 'summary_of_project',
  sql: `SELECT text FROM ${SUMMARIES} WHERE project_uid = $1`,
};

/** Thrown to undo a save that came too late. */
class Outrun extends Error {}

/** Running summaries of what fell out of short-term memory: one per project, written by one worker at a time. */
@Injectable()
export class SummariesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The summary as it is now; empty when there is none. */
  async textOf(projectUid: string): Promise<string> {
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.prepared<{ text: string }>(TEXT_OF, [projectUid], { scope });
    return row?.text ?? '';
  }

  /**
   * Notes that these episodes may have to be summarised.
   * @param order called within the transaction when the work has to be ordered
   */
  want(
    { tenant, projectUid }: ProjectReference,
    uids: readonly string[],
    order: SummaryOrder,
  ): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const ordered = await manager.query<unknown[]>(
        `WITH wanted AS (
           INSERT INTO ${SUMMARIES} AS summary (project_uid, wanted_at, ordered_at)
           SELECT uid, now(), now() FROM ${SCHEMA}.projects WHERE uid = $1 AND state = 'open'
           ON CONFLICT (project_uid) DO UPDATE SET
             wanted_at = now(), ordered_at = coalesce(summary.ordered_at, now()),
             -- an episode that was said long ago but added now is not in the text
             complete_to = CASE WHEN summary.complete_to IS NOT NULL THEN least(summary.complete_to, (
               SELECT min(created_at) FROM ${EPISODES} WHERE project_uid = $1 AND uid = ANY ($2::uuid[]))) END
           RETURNING ordered_at)
         SELECT FROM wanted WHERE ordered_at = now()`,
        [projectUid, uids],
      );
      if (ordered.length > 0) await order(tx, { tenant, projectUid });
    });
  }

  /** Orders again what nobody did for long, or what failed and is to be tried again. */
  orderOverdue(patienceMs: number, limit: number, order: SummaryOrder): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const rows = await manager.query<{ uid: string; org_id: string; project_id: string }[]>(
        `WITH overdue AS (
           SELECT project_uid FROM ${SUMMARIES}
           WHERE wanted_at IS NOT NULL AND coalesce(lease_until, '-infinity') < now()
             AND coalesce(retry_at, ordered_at + make_interval(secs => $1), '-infinity') < now()
           ORDER BY wanted_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ), ordered AS (
           UPDATE ${SUMMARIES} SET ordered_at = now(), retry_at = NULL FROM overdue
           WHERE summaries.project_uid = overdue.project_uid RETURNING summaries.project_uid)
         SELECT uid, org_id, project_id FROM ordered JOIN ${SCHEMA}.projects ON uid = project_uid WHERE state = 'open'`,
        [patienceMs / 1000, limit],
      );
      for (const row of rows) {
        await order(tx, { tenant: { orgId: row.org_id, projectId: row.project_id }, projectUid: row.uid });
      }
    });
  }

  /** @returns undefined when somebody else is at it, or nothing is wanted */
  async claim(projectUid: string, leaseMs: number): Promise<HeldSummary | undefined> {
    const [row] = await this.query<{ fence: number; text: string }>(
      rowsOf(projectUid),
      `WITH claimed AS (
         UPDATE ${SUMMARIES} SET fence = fence + 1, ordered_at = NULL, claimed_at = now(),
           lease_until = now() + make_interval(secs => $2)
         WHERE project_uid = $1 AND wanted_at IS NOT NULL AND coalesce(lease_until, '-infinity') < now()
         RETURNING fence, text)
       SELECT * FROM claimed`,
      [projectUid, leaseMs / 1000],
    );
    return row && { projectUid, ...row };
  }

  async renew(claim: SummaryClaim, leaseMs: number): Promise<void> {
    await this.change(claim, 'lease_until = now() + make_interval(secs => $3)', [leaseMs / 1000]);
  }

  /** After a reset no episode is in the summary: this notes it, in steps. */
  async settleReset(claim: SummaryClaim): Promise<void> {
    const { projectUid } = claim;
    const step = `WITH unmarked AS (
        UPDATE ${EPISODES} SET in_summary = false WHERE uid IN (
          SELECT uid FROM ${EPISODES} WHERE project_uid = $1 AND in_summary LIMIT ${RESET_STEP})
        AND EXISTS (SELECT FROM ${SUMMARIES} WHERE project_uid = $1 AND is_reset AND fence = $2) RETURNING uid)
      SELECT uid FROM unmarked`;
    while ((await this.query(rowsOf(projectUid), step, [projectUid, claim.fence])).length > 0);
    await this.change(claim, 'is_reset = false');
  }

  /**
   * What has to go into the summary next, oldest first; empty when everything outside the window is in it. Otherwise it
   * takes the older half of the window along, so that not every new episode costs a call of a model.
   * @param windowChars characters that the window holds
   */
  async next(projectUid: string, windowChars: number, limit: number): Promise<Episode[]> {
    const rows = await this.unitOfWork.prepared<EpisodeRow>(
      NEXT_TO_SUMMARIZE,
      [projectUid, windowChars, limit],
      { scope: rowsOf(projectUid) },
    );
    return rows.map(toEpisode);
  }

  /** Stores a summary with these episodes in it. @returns false when the claim was lost, or one of them was deleted */
  async save(
    { projectUid, fence }: SummaryClaim,
    text: string,
    episodes: readonly Episode[],
  ): Promise<boolean> {
    try {
      await this.unitOfWork.run(async (tx) => {
        const manager = await scopedManager(tx, rowsOf(projectUid));
        // first the episodes, then the summary: in the order of whoever deletes
        const marked = await manager.query<unknown[]>(
          `WITH marked AS (
             UPDATE ${EPISODES} SET in_summary = true WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND ${IS_LIVE}
             RETURNING uid)
           SELECT uid FROM marked`,
          [projectUid, episodes.map(({ uid }) => uid)],
        );
        const saved = await manager.query<unknown[]>(
          `WITH saved AS (
             UPDATE ${SUMMARIES} SET text = $3, complete_to = $4, failures = 0
             WHERE project_uid = $1 AND fence = $2 AND NOT is_reset RETURNING project_uid)
           SELECT project_uid FROM saved`,
          [projectUid, fence, text, episodes.at(-1)?.createdAt],
        );
        if (marked.length !== episodes.length || saved.length === 0) throw new Outrun();
      });
      return true;
    } catch (error) {
      if (error instanceof Outrun) return false;
      throw error;
    }
  }

  /** Ends the work. What was wanted meanwhile stays wanted. */
  async finish(claim: SummaryClaim): Promise<void> {
    await this.change(
      claim,
      `lease_until = NULL, failures = 0, retry_at = NULL,
       wanted_at = CASE WHEN wanted_at > claimed_at THEN wanted_at END`,
    );
  }

  /** Ends the work, to be tried again later; the longer, the more often it failed. */
  async fail(claim: SummaryClaim): Promise<void> {
    await this.change(
      claim,
      `lease_until = NULL, failures = failures + 1,
       retry_at = now() + make_interval(secs => least(2 ^ least(failures, 16), $3) * (0.5 + random() / 2))`,
      [MAX_PAUSE_SECONDS],
    );
  }

  /** Forgets the summary of a closed project. */
  async forget(projectUid: string): Promise<void> {
    await this.query(rowsOf(projectUid), `DELETE FROM ${SUMMARIES} WHERE project_uid = $1`, [projectUid]);
  }

  /** Changes the row of whoever still holds the claim. */
  private async change(
    { projectUid, fence }: SummaryClaim,
    set: string,
    parameters: unknown[] = [],
  ): Promise<void> {
    const sql = `UPDATE ${SUMMARIES} SET ${set} WHERE project_uid = $1 AND fence = $2`;
    await this.query(rowsOf(projectUid), sql, [projectUid, fence, ...parameters]);
  }

  private query<Row>(scope: RowScope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), scope);
  }
}
