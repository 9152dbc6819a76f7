import { type Instant, type ProjectReference } from '@loci/contracts';
import {
  execute,
  type LeaseClaim,
  type LeaseStore,
  ROWS_OF_ALL,
  type RowOf,
  rowsOf,
  scopedManager,
  type SqlStatement,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { toEpisode } from '../episodes/episode-rows.js';
import { BEGIN_SUMMARY } from './begin-summary.sql.js';
import { CLAIM_SUMMARY } from './claim-summary.sql.js';
import { FAIL_SUMMARY } from './fail-summary.sql.js';
import { FINISH_SUMMARY } from './finish-summary.sql.js';
import { LEAVE_OUT_EPISODE } from './leave-out-episode.sql.js';
import { MARK_EPISODES } from './mark-episodes.sql.js';
import { NEXT_TO_SUMMARIZE } from './next-to-summarize.sql.js';
import { PAUSE_SUMMARY } from './pause-summary.sql.js';
import { RENEW_SUMMARY } from './renew-summary.sql.js';
import { SAVE_SUMMARY } from './save-summary.sql.js';
import { SHORT_TERM_WINDOW } from './short-term-window.sql.js';
import { SUMMARY_TEXT } from './summary-text.sql.js';
import { SummaryEntity } from './summary.entity.js';
import { TAKE_BACK_SUMMARY } from './take-back-summary.sql.js';
import { TAKE_OVERDUE_SUMMARIES } from './take-overdue-summaries.sql.js';
import { UNMARK_EPISODES } from './unmark-episodes.sql.js';
import { WANT_SUMMARY } from './want-summary.sql.js';

/** The right to write the summary of a project, whose uid is the key, until another worker claims it. */
export interface ClaimedSummary extends LeaseClaim {
  readonly text: string;
  /** The former text was thrown away, and episodes are still marked as being in it. */
  readonly isReset: boolean;
  /** How often what is read at once is halved, since a model refused more. */
  halvings: number;
  /** The episode that a model refused last when it read it alone; null when it has written since. */
  readonly refusedUid: string | null;
  /** How often, in a row. */
  readonly refusals: number;
}

/** Appends the work message for a project to the transaction. */
export type EnqueueSummary = (tx: Transaction, project: ProjectReference) => Promise<void>;

/** What has to go into a summary next. */
export interface PendingEpisodes {
  /** Oldest first; empty when everything outside the window is in the summary. */
  readonly episodes: readonly Episode[];
  /** When the oldest episode in the window was said; absent when nothing was said. */
  readonly windowFrom?: Instant;
}

/** What a summary reads at most of what was said before the window, when it is written anew. */
export interface SummaryReach {
  readonly episodes: number;
  readonly chars: number;
}

/** Episodes whose marks are taken away in one statement. */
const RESET_STEP = 1_000;

const MAX_PAUSE_SECONDS = 300;

/** Thrown to undo a save that came too late. */
class Outrun extends Error {}

/** Running summaries of what fell out of short-term memory: one per project, written by one worker at a time. */
@Injectable()
export class SummariesRepository implements LeaseStore<ClaimedSummary> {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The summary as it is now; empty when there is none. */
  async textOf(projectUid: string): Promise<string> {
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.execute(SUMMARY_TEXT, [projectUid], { scope });
    return row?.text ?? '';
  }

  /**
   * Notes that these episodes may have to be summarised.
   * @param enqueue called within the transaction when the work is not enqueued yet
   */
  want(
    { tenant, projectUid }: ProjectReference,
    uids: readonly string[],
    enqueue: EnqueueSummary,
  ): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const wanted = [projectUid, uids];
      const enqueued = await this.unitOfWork.execute(WANT_SUMMARY, wanted, { tx, scope: ROWS_OF_ALL });
      if (enqueued.length > 0) await enqueue(tx, { tenant, projectUid });
    });
  }

  /** Enqueues again what was not done for long, or what failed and is to be tried again. */
  enqueueOverdue(patienceMs: number, limit: number, enqueue: EnqueueSummary): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const overdue = [patienceMs / 1000, limit];
      const rows = await this.unitOfWork.execute(TAKE_OVERDUE_SUMMARIES, overdue, {
        tx,
        scope: ROWS_OF_ALL,
      });
      for (const row of rows) {
        await enqueue(tx, { tenant: { orgId: row.org_id, projectId: row.project_id }, projectUid: row.uid });
      }
    });
  }

  /** @returns undefined when another worker has the claim, nothing is wanted, or it was set aside */
  async claim(projectUid: string, leaseMs: number): Promise<ClaimedSummary | undefined> {
    const [row] = await this.unitOfWork.execute(CLAIM_SUMMARY, [projectUid, leaseMs], {
      scope: rowsOf(projectUid),
    });
    return row && { key: projectUid, ...row };
  }

  /** @returns false when the claim is lost */
  async renew(claim: ClaimedSummary, leaseMs: number): Promise<boolean> {
    const renewed = await this.change(claim, RENEW_SUMMARY, [leaseMs]);
    return renewed.length > 0;
  }

  async takeBack(claim: ClaimedSummary): Promise<void> {
    await this.change(claim, TAKE_BACK_SUMMARY, [claim.unfinished]);
  }

  /**
   * After a reset no episode is in the summary: this notes it, in steps, and where the next text begins.
   * @param windowChars characters that fit into the window
   */
  async settleReset(claim: ClaimedSummary, windowChars: number, reach: SummaryReach): Promise<void> {
    const { key: projectUid, token } = claim;
    const scope = rowsOf(projectUid);
    const step = [projectUid, token, RESET_STEP];
    while ((await this.unitOfWork.execute(UNMARK_EPISODES, step, { scope })).length > 0);
    const window = await this.windowOf(projectUid, windowChars);
    const begin = [window?.edge_at, window?.edge_uid, reach.episodes, reach.chars];
    await this.change(claim, BEGIN_SUMMARY, begin);
  }

  /**
   * What has to go into the summary next. When there is anything outside the window, it takes the older half of the window
   * along, so that not every new episode costs a call of a model.
   * @param windowChars characters that fit into the window
   */
  async next(projectUid: string, windowChars: number, limit: number): Promise<PendingEpisodes> {
    const window = await this.windowOf(projectUid, windowChars);
    if (!window) return { episodes: [] };
    const { edge_at: windowFrom, edge_uid: edge, middle_at: middleAt, middle_uid: middle } = window;
    const range = [projectUid, windowFrom, edge, middleAt, middle, limit];
    const rows = await this.unitOfWork.execute(NEXT_TO_SUMMARIZE, range, { scope: rowsOf(projectUid) });
    return { episodes: rows.map(toEpisode), windowFrom };
  }

  /** Stores a summary with these episodes in it. @returns false when the claim was lost, or one of them was deleted */
  async save(claim: ClaimedSummary, text: string, episodes: readonly Episode[]): Promise<boolean> {
    const isSaved = await this.take(claim, episodes, SAVE_SUMMARY, [text]);
    if (isSaved) claim.halvings = Math.max(0, claim.halvings - 1);
    return isSaved;
  }

  /** Has the summary go on without this episode, which is the next. @returns false as `save` */
  leaveOut(claim: ClaimedSummary, episode: Episode): Promise<boolean> {
    return this.take(claim, [episode], LEAVE_OUT_EPISODE);
  }

  /** Counts these episodes as being in the summary, and changes it. @returns false when the claim was lost, or one was deleted */
  private async take(
    claim: ClaimedSummary,
    episodes: readonly Episode[],
    statement: SqlStatement,
    parameters: readonly unknown[] = [],
  ): Promise<boolean> {
    const { key: projectUid, token } = claim;
    try {
      await this.unitOfWork.run(async (tx) => {
        const manager = await scopedManager(tx, rowsOf(projectUid));
        // first the episodes, then the summary: in the order of a deletion
        const marked = await execute(manager, MARK_EPISODES, [projectUid, episodes.map(({ uid }) => uid)]);
        const summary = [projectUid, token, ...parameters, episodes.at(-1)?.createdAt];
        const saved = await execute(manager, statement, summary);
        if (marked.length !== episodes.length || saved.length === 0) throw new Outrun();
      });
      claim.unfinished = 0;
      return true;
    } catch (error) {
      if (error instanceof Outrun) return false;
      throw error;
    }
  }

  /**
   * Ends the work. What was wanted meanwhile stays wanted.
   * @param windowFrom as `next` said when it found nothing more
   */
  async finish(claim: ClaimedSummary, windowFrom: Instant | undefined): Promise<void> {
    await this.change(claim, FINISH_SUMMARY, [windowFrom]);
  }

  /** Ends the work for now, behind what other projects wait for. */
  async pause(claim: ClaimedSummary): Promise<void> {
    await this.change(claim, PAUSE_SUMMARY);
  }

  /**
   * Ends the work, to be tried again later; the longer, the more often it failed.
   * @param refused what a model read and refused: of several, fewer are read next
   */
  async fail(claim: ClaimedSummary, refused: readonly Episode[] = []): Promise<void> {
    const alone = refused.length === 1 ? refused[0]?.uid : undefined;
    await this.change(claim, FAIL_SUMMARY, [MAX_PAUSE_SECONDS, refused.length > 1, alone]);
  }

  /** Forgets the summary of a closed project. */
  async forget(projectUid: string): Promise<void> {
    await this.unitOfWork.single(
      (manager) => manager.delete(SummaryEntity, { projectUid }),
      rowsOf(projectUid),
    );
  }

  private async windowOf(
    projectUid: string,
    windowChars: number,
  ): Promise<RowOf<typeof SHORT_TERM_WINDOW.row> | undefined> {
    const scope = rowsOf(projectUid);
    const [window] = await this.unitOfWork.execute(SHORT_TERM_WINDOW, [projectUid, windowChars], { scope });
    return window;
  }

  /** Changes the row while the claim holds. */
  private async change(
    { key: projectUid, token }: ClaimedSummary,
    statement: SqlStatement,
    parameters: readonly unknown[] = [],
  ): Promise<readonly unknown[]> {
    const scope = rowsOf(projectUid);
    return this.unitOfWork.execute(statement, [projectUid, token, ...parameters], { scope });
  }
}
