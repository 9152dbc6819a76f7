import { type Filter } from '@loci/contracts';
import { rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { countMatchingEpisodes } from './count-matching-episodes.sql.js';
import { matching } from './episode-rows.js';

/** What one statement looks at: a fraction of a second. */
const STEP = 100_000;

/** What is left of the ten seconds of a request is for what it counts for. */
const WITHIN_MS = 3_000;

const BEGINNING = ['-infinity', NIL] as const;

export interface Counted {
  readonly count: number;
  /** Whether there may be more: the time was over before all were looked at. */
  readonly isAtLeast: boolean;
}

export interface CountingLimits {
  readonly step?: number;
  readonly withinMs?: number;
}

/** Counting episodes of a project, however many there are, for as long as a request can wait. */
@Injectable()
export class EpisodeCounts {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** How many match. What is added or deleted meanwhile may count or not. */
  async matching(
    projectUid: string,
    filter: Filter | undefined,
    tx?: Transaction,
    { step = STEP, withinMs = WITHIN_MS }: CountingLimits = {},
  ): Promise<Counted> {
    const predicate = matching(filter, 5);
    const statement = countMatchingEpisodes(predicate);
    const options = { tx, scope: rowsOf(projectUid) };
    const until = performance.now() + withinMs;
    let position: readonly (string | null)[] = BEGINNING;
    for (let count = 0; ;) {
      const values = [projectUid, ...position, step, ...predicate.parameters];
      const [row] = await this.unitOfWork.execute(statement, values, options);
      count += row?.matching ?? 0;
      if (!row || row.seen < step) return { count, isAtLeast: false };
      if (performance.now() >= until) return { count, isAtLeast: true };
      position = [row.seen_at, row.seen_uid];
    }
  }
}
