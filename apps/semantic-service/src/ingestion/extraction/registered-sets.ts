import { type RowOf, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { CategoriesRepository } from '../../categories/categories.repository.js';
import { CategoriesService } from '../../categories/categories.service.js';
import { FeaturesRepository } from '../../features/features.repository.js';
import { toSetOfRow } from '../../sets/set-rows.js';
import { CONFIGURED_SET } from './configured-set.sql.js';
import { type IngestionCategory } from './extraction-prompt.js';
import { CategoryGoneError, IngestionSets, type IngestionSet } from './ingestion-sets.js';

type ConfiguredRow = RowOf<typeof CONFIGURED_SET.row>;

/** The sets of this service. One that was deleted a moment ago has no categories: nothing is drawn for it. */
@Injectable()
export class RegisteredSets extends IngestionSets {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly categories: CategoriesService,
    private readonly sources: CategoriesRepository,
    private readonly features: FeaturesRepository,
  ) {
    super();
  }

  override async describe(setUid: string): Promise<IngestionSet> {
    const row = await this.find(setUid);
    if (!row) return { categories: [], llmName: undefined };
    const available = await this.categories.available(toSetOfRow(row));
    return {
      categories: available.map(({ uid, name, prompt, tags }) => ({
        uid,
        name,
        prompt,
        tags: new Map(Object.entries(tags)),
      })),
      llmName: row.llm_name ?? undefined,
    };
  }

  /** The category before the set: the removal of a category locks in this sequence. */
  override async fence(setUid: string, { uid, name }: IngestionCategory, tx: Transaction): Promise<void> {
    const isThere = uid === undefined || (await this.sources.keep(uid, tx));
    await this.features.lockSets([setUid], tx);
    // asked under the lock: what was disabled or overridden before it is seen, and nothing is afterwards
    const row = isThere ? await this.find(setUid, tx) : undefined;
    const available = row ? await this.categories.available(toSetOfRow(row), tx) : [];
    if (!available.some((one) => one.name === name && one.uid === uid)) throw new CategoryGoneError(name);
  }

  private async find(setUid: string, tx?: Transaction): Promise<ConfiguredRow | undefined> {
    const [row] = await this.unitOfWork.execute(CONFIGURED_SET, [setUid], { tx, scope: ROWS_OF_ALL });
    return row;
  }
}
