import { type ProjectReference } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Episode } from '../episodes/episode.js';

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

/** Running summaries of what fell out of short-term memory: one per project, written by one worker at a time. */
export abstract class SummariesRepository {
  /** The summary as it is now; empty when there is none. */
  abstract textOf(projectUid: string): Promise<string>;

  /**
   * Notes that these episodes may have to be summarised.
   * @param order called within the transaction when the work has to be ordered
   */
  abstract want(project: ProjectReference, uids: readonly string[], order: SummaryOrder): Promise<void>;

  /** Orders again what nobody did for long, or what failed and is to be tried again. */
  abstract orderOverdue(patienceMs: number, limit: number, order: SummaryOrder): Promise<void>;

  /** @returns undefined when somebody else is at it, or nothing is wanted */
  abstract claim(projectUid: string, leaseMs: number): Promise<HeldSummary | undefined>;

  abstract renew(claim: SummaryClaim, leaseMs: number): Promise<void>;

  /** After a reset no episode is in the summary: this notes it, in steps. */
  abstract settleReset(claim: SummaryClaim): Promise<void>;

  /**
   * What has to go into the summary next, oldest first; empty when everything outside the window is in it. Otherwise it
   * takes the older half of the window along, so that not every new episode costs a call of a model.
   * @param windowChars characters that the window holds
   */
  abstract next(projectUid: string, windowChars: number, limit: number): Promise<Episode[]>;

  /** Stores a summary with these episodes in it. @returns false when the claim was lost, or one of them was deleted */
  abstract save(claim: SummaryClaim, text: string, episodes: readonly Episode[]): Promise<boolean>;

  /** Ends the work. What was wanted meanwhile stays wanted. */
  abstract finish(claim: SummaryClaim): Promise<void>;

  /** Ends the work, to be tried again later; the longer, the more often it failed. */
  abstract fail(claim: SummaryClaim): Promise<void>;

  /** Forgets the summary of a closed project. */
  abstract forget(projectUid: string): Promise<void>;
}
