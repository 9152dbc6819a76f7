import { type Instant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type RefusedCommand } from '../extraction/extraction-reply.js';
import { type Scope } from '../../projects/project.js';

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

/** Letters that a scope does not show are not there. */
export abstract class IngestionDeadLettersRepository {
  /** Oldest first. */
  abstract list(scope: Scope, page: LetterPage): Promise<{ letters: IngestionDeadLetter[]; total: number }>;

  abstract find(scope: Scope, uid: string): Promise<IngestionDeadLetter | undefined>;

  /**
   * Puts the messages of these letters back into the backlog of their category, with all their tries.
   * @param uids absent = all of the scope
   * @returns the replayed letters, and the sets that are due now: their orders belong to this transaction
   */
  abstract replay(
    scope: Scope,
    uids: readonly string[] | undefined,
    tx: Transaction,
  ): Promise<{ readonly letters: string[]; readonly dueSets: string[] }>;

  /** Gives the messages up for good. @returns whether there was such a letter */
  abstract drop(scope: Scope, uid: string, tx: Transaction): Promise<boolean>;
}
