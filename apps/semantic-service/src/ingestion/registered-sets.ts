import { type PreparedStatement, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import { SCHEMA } from '../database.js';
import { rowToSet, SET_COLUMNS, type SetRow } from '../sets/typeorm-sets.repository.js';
import { IngestionSets, type IngestionSet } from './ingestion-sets.js';

interface ConfiguredRow extends SetRow {
  readonly llm_name: string | null;
}

const CONFIGURED: PreparedStatement = {
  name: 'ingestion_set',
  sql: `SELECT ${SET_COLUMNS}, sets.llm_name FROM ${SCHEMA}.sets WHERE uid = $1`,
};

/** The sets of this service. One that was deleted a moment ago has no categories: nothing is drawn for it. */
@Injectable()
export class RegisteredSets extends IngestionSets {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly categories: CategoriesService,
  ) {
    super();
  }

  override async describe(setUid: string): Promise<IngestionSet> {
    const [row] = await this.unitOfWork.prepared<ConfiguredRow>(CONFIGURED, [setUid], { scope: ROWS_OF_ALL });
    if (!row) return { categories: [], llmName: undefined };
    const available = await this.categories.available(rowToSet(row));
    return {
      categories: available.map(({ name, prompt, tags }) => ({
        name,
        prompt,
        tags: new Map(Object.entries(tags)),
      })),
      llmName: row.llm_name ?? undefined,
    };
  }
}
