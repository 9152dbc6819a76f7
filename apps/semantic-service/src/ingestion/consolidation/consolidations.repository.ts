import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ConsolidationEntity } from './consolidation.entity.js';
import { NOTE_CONSOLIDATION } from './note-consolidation.sql.js';

/** How many features tags held when they were last consolidated. */
@Injectable()
export class ConsolidationsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async featuresAtLast(setUid: string, category: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.unitOfWork.single(
      (manager) => manager.findBy(ConsolidationEntity, { setUid, category }),
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
    const values = [setUid, category, tag, features];
    await this.unitOfWork.execute(NOTE_CONSOLIDATION, values, { tx, scope: ROWS_OF_ALL });
  }
}
