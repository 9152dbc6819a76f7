import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';

/** Two texts that name a place in an order. */
export type Position = readonly [string, string];

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
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Takes the next step of a comparison if it is time for it.
   * @param retryMs when a step that failed is taken again
   * @returns whether it was time
   * @throws whatever the step throws
   */
  async step(
    name: string,
    { retryMs }: { readonly retryMs: number },
    take: (position: Position | undefined) => Promise<NextStep>,
  ): Promise<boolean> {
    const claimed = await this.claim(name);
    if (!claimed) return false;
    try {
      await this.reembedding(name, await take(claimed.position));
    } catch (error) {
      await this.reembedding(name, { position: claimed.position, pauseMs: retryMs });
      throw error;
    }
    return true;
  }

  private async claim(name: string): Promise<{ position: Position | undefined } | undefined> {
    const [row] = await this.unitOfWork.single((manager) =>
      manager.query<{ position: Position | null }[]>(
        `INSERT INTO ${SCHEMA}.ingestion_cursors AS cursor (name, next_at)
         VALUES ($1, now() + $2::float8 * interval '1 ms')
         ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE cursor.next_at <= now()
         RETURNING position`,
        [name, STEP_MS],
      ),
    );
    return row && { position: row.position ?? undefined };
  }

  private async reembedding(name: string, { position, pauseMs }: NextStep): Promise<void> {
    await this.unitOfWork.single((manager) =>
      manager.query(
        `UPDATE ${SCHEMA}.ingestion_cursors
         SET position = $2, next_at = now() + $3::float8 * interval '1 ms' WHERE name = $1`,
        [name, position, pauseMs],
      ),
    );
  }
}
