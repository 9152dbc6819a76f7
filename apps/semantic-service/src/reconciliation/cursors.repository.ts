import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';

/** Two texts that name a place in an order. */
export type Position = readonly [string, string];

/** How far comparisons with other services are. A step is taken by one replica at a time, by any when that one dies. */
@Injectable()
export class CursorsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Claims the next step if it is time for it.
   * @param pauseMs after which somebody else may take it, unless the cursor is moved before
   * @returns undefined when it is not time; `position` is undefined at the beginning
   */
  async claim(name: string, pauseMs: number): Promise<{ position: Position | undefined } | undefined> {
    const [row] = await this.unitOfWork.single((manager) =>
      manager.query<{ position: Position | null }[]>(
        `INSERT INTO ${SCHEMA}.ingestion_cursors AS cursor (name, next_at)
         VALUES ($1, now() + $2::float8 * interval '1 ms')
         ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE cursor.next_at <= now()
         RETURNING position`,
        [name, pauseMs],
      ),
    );
    return row && { position: row.position ?? undefined };
  }

  /** @param position undefined = back to the beginning @param pauseMs until the next step */
  async move(name: string, position: Position | undefined, pauseMs: number): Promise<void> {
    await this.unitOfWork.single((manager) =>
      manager.query(
        `UPDATE ${SCHEMA}.ingestion_cursors
         SET position = $2, next_at = now() + $3::float8 * interval '1 ms' WHERE name = $1`,
        [name, position, pauseMs],
      ),
    );
  }
}
