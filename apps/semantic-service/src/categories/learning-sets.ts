import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type MemorySet } from '../sets/set.js';
import { BuiltInDefaults } from './built-in-defaults.js';
import { CategoriesRepository } from './categories.repository.js';

/** Tells sets that learn from messages from those in which no category is at work. */
@Injectable()
export class LearningSets {
  constructor(
    private readonly categories: CategoriesRepository,
    private readonly defaults: BuiltInDefaults,
  ) {}

  /** The uids of those of registered sets, of any tenants, that learn. */
  async among(sets: readonly MemorySet[], tx: Transaction): Promise<ReadonlySet<string>> {
    const each = [...new Map(sets.map((set) => [set.uid, set])).values()];
    if (each.length === 0) return new Set();
    const given = each.map(({ uid, kind }) => ({
      uid,
      builtIn: this.defaults.of(kind).map(({ name }) => name),
    }));
    return this.categories.learning(given, tx);
  }
}
