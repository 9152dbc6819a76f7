import { type Instant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';

/** Whose letters: of one project, or of what belongs to its organization as a whole. */
export interface LetterOwner {
  readonly orgId: string;
  readonly projectUid: string | undefined;
}

/** Messages that a category gave up, and why. */
export interface IngestionDeadLetter {
  readonly uid: string;
  readonly setUid: string;
  readonly category: string;
  readonly episodeUids: readonly string[];
  readonly code: string;
  readonly reason: string;
  readonly failures: number;
  readonly at: Instant;
}

export interface LetterPage {
  readonly offset: number;
  readonly limit: number;
}

/** Letters of others are not there. */
export abstract class IngestionDeadLettersRepository {
  /** Oldest first. */
  abstract list(
    owner: LetterOwner,
    page: LetterPage,
  ): Promise<{ letters: IngestionDeadLetter[]; total: number }>;

  abstract find(owner: LetterOwner, uid: string): Promise<IngestionDeadLetter | undefined>;

  /**
   * Puts the messages of these letters back into the backlog of their category, with all their tries.
   * @param uids absent = all of the owner
   * @returns the replayed letters, and the sets that are due now: their orders belong to this transaction
   */
  abstract replay(
    owner: LetterOwner,
    uids: readonly string[] | undefined,
    tx: Transaction,
  ): Promise<{ readonly letters: string[]; readonly dueSets: string[] }>;

  /** Gives the messages up for good. @returns whether there was such a letter */
  abstract drop(owner: LetterOwner, uid: string): Promise<boolean>;
}
