import { type Filter } from '@loci/contracts';
import { rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { countMatchingEpisodes } from './count-matching-episodes.sql.js';
import { FIRST_STEP, nextStep } from './counting-step.js';
import { matching } from './episode-rows.js';
import { timeOf } from './time-of-filter.js';

/** What is left of the ten seconds of a request is for what it counts for. */
const WITHIN_MS = 3_000;

export interface Counted {
  readonly count: number;
  /** Whether there may be more: the time was over before all were looked at. */
  readonly isAtLeast: boolean;
}

export interface CountingLimits {
  /** Rows that the first statement looks at. */
  readonly firstStep?: number;
  /** Rows of the next one, by those of the last one and what they took. */
  readonly nextStep?: (step: number, tookMs: number) => number;
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
    limits: CountingLimits = {},
  ): Promise<Counted> {
    const predicate = matching(filter, 6);
    const statement = countMatchingEpisodes(predicate);
    const options = { tx, scope: rowsOf(projectUid) };
    const { from = '-infinity', until = 'infinity' } = timeOf(filter);
    let position: readonly (string | null)[] = [from, NIL];
    let step = limits.firstStep ?? FIRST_STEP;
    let begunAt = performance.now();
    const endAt = begunAt + (limits.withinMs ?? WITHIN_MS);
    for (let count = 0; ;) {
      const values = [projectUid, ...position, until, step, ...predicate.parameters];
      const [row] = await this.unitOfWork.execute(statement, values, options);
      count += row?.matching ?? 0;
      if (!row || row.seen < step) return { count, isAtLeast: false };
      const now = performance.now();
      if (now >= endAt) return { count, isAtLeast: true };
      position = [row.seen_at, row.seen_uid];
      step = (limits.nextStep ?? nextStep)(step, now - begunAt);
      begunAt = now;
    }
  }
}
