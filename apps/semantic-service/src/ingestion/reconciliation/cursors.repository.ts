import { ExclusiveWork, UnitOfWork, WorkLeases } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { CLAIM_CURSOR, type Position } from './claim-cursor.sql.js';
import { SET_CURSOR } from './set-cursor.sql.js';

export interface NextStep {
  /** Where it begins; undefined = at the beginning. */
  readonly position: Position | undefined;
  readonly pauseMs: number;
}

/** After so long a step belongs to a replica that died, and another one takes it. */
const STEP_MS = 60_000;

/** How far comparisons with other services are. A step is taken by one replica at a time; repeating it must be harmless. */
@Injectable()
export class CursorsRepository {
  private readonly work: ExclusiveWork;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    leases: WorkLeases,
    logger: Logger,
  ) {
    this.work = new ExclusiveWork('reconciliation', leases, STEP_MS, logger);
  }

  /**
   * Takes the next step of a comparison if it is time for it.
   * @param retryMs when a step that failed is taken again
   * @returns whether it was time and the step was taken: it is not when it ended its process again and again
   * @throws whatever the step throws
   */
  async step(
    name: string,
    { retryMs }: { readonly retryMs: number },
    take: (position: Position | undefined) => Promise<NextStep>,
  ): Promise<boolean> {
    const claimed = await this.claim(name);
    if (!claimed) return false;
    const outcome = await this.work.run(name, async () => {
      try {
        await this.set(name, claimed.position, await take(claimed.position));
      } catch (error) {
        await this.set(name, claimed.position, { position: claimed.position, pauseMs: retryMs });
        throw error;
      }
    });
    return outcome === 'done';
  }

  /** A step that is under way does not count as unfinished. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  private async claim(name: string): Promise<{ position: Position | undefined } | undefined> {
    const [row] = await this.unitOfWork.execute(CLAIM_CURSOR, [name, STEP_MS]);
    return row && { position: row.position ?? undefined };
  }

  private async set(
    name: string,
    before: Position | undefined,
    { position, pauseMs }: NextStep,
  ): Promise<void> {
    await this.unitOfWork.execute(SET_CURSOR, [name, before, position, pauseMs]);
  }
}
