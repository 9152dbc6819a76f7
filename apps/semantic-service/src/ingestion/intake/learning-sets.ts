import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { BuiltInDefaults } from '../../categories/built-in-defaults.js';
import { type MemorySet } from '../../sets/set.js';
import { LEARNING_SETS } from './learning-sets.sql.js';

/** Tells sets that learn from messages from those in which no category is at work. */
@Injectable()
export class LearningSets {
  constructor(
    private readonly defaults: BuiltInDefaults,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The uids of those of registered sets, of any tenants, that learn. */
  async among(sets: readonly MemorySet[], tx: Transaction): Promise<ReadonlySet<string>> {
    const each = [...new Map(sets.map((set) => [set.uid, set])).values()];
    if (each.length === 0) return new Set();
    const given = each.map(({ uid, kind }) => ({
      uid,
      built_in: this.defaults.of(kind).map(({ name }) => name),
    }));
    const values = [JSON.stringify(given)];
    const found = await this.unitOfWork.execute(LEARNING_SETS, values, { tx, scope: ROWS_OF_ALL });
    return new Set(found.map(({ uid }) => uid));
  }
}
