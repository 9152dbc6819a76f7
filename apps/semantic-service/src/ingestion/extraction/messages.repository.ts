import { type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Claim } from '../jobs/job.js';
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

/**
 * How far the messages of a set are. What writes runs in a transaction in which the claim was fenced.
 */
export abstract class MessagesRepository {
  /** The messages that the category has not tried, in the order in which they were said; suspects are none of them. */
  abstract next(setUid: string, category: string, limit: number, tx?: Transaction): Promise<WaitingMessage[]>;

  /**
   * The category is through with these messages; that it failed before is forgotten.
   * @param refused commands that the model drew from them and that are not carried out: a dead letter keeps why, and
   * has the messages ingested again where it is replayed
   */
  abstract markIngested(
    claim: Claim,
    { category, refused }: { readonly category: string; readonly refused: readonly RefusedCommand[] },
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<void>;

  /** Gives these messages up for the category, and keeps why. @returns the uid of the letter */
  abstract bury(
    claim: Claim,
    letter: NewLetter,
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<string>;

  abstract failures(setUid: string): Promise<CategoryFailure[]>;

  abstract noteFailure(setUid: string, failure: CategoryFailure, tx: Transaction): Promise<void>;

  /** Takes those messages out of the backlog that every one of these categories is through with. */
  abstract settle(claim: Claim, categories: readonly string[], tx: Transaction): Promise<void>;
}
