import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';

/** How many features tags held when they were last consolidated. */
@Injectable()
export class ConsolidationsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async featuresAtLast(setUid: string, category: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ tag: string; features: number }[]>(
          `SELECT tag, features FROM ${SCHEMA}.ingestion_consolidations WHERE set_uid = $1 AND category = $2`,
          [setUid, category],
        ),
      ROWS_OF_ALL,
    );
    return new Map(rows.map(({ tag, features }) => [tag, features]));
  }

  async note(
    setUid: string,
    category: string,
    tag: string,
    features: number,
    tx: Transaction,
  ): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(
      `INSERT INTO ${SCHEMA}.ingestion_consolidations (set_uid, category, tag, features) VALUES ($1, $2, $3, $4)
       ON CONFLICT (set_uid, category, tag) DO UPDATE SET features = excluded.features, at = now()`,
      [setUid, category, tag, features],
    );
  }
}
