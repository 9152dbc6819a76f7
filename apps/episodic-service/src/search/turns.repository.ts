import { type Filter } from '@loci/contracts';
import { type Turn } from '@loci/retrieval';

/** How many episodes on each side of a hit belong to its context. */
export interface ContextSize {
  readonly before: number;
  readonly after: number;
}

/** The order of the episodes of a project in time, as far as a search looks at it. */
export abstract class TurnsRepository {
  /** Those of the episodes that are in long-term memory, with the turns right before and after them. */
  abstract around(projectUid: string, uids: readonly string[]): Promise<Turn[]>;

  /**
   * The matching episodes on both sides of each, nearest first, by uid: those before, then those after.
   * An episode without neighbours may be missing.
   */
  abstract contextOf(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    size: ContextSize,
  ): Promise<Map<string, string[]>>;
}
