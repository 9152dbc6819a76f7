import { type Transaction, UnitOfWork } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { CategoryFeatures } from '../features/category-features.js';
import { type Owner } from '../projects/project.js';
import { CategoriesRepository } from './categories.repository.js';
import { type Category } from './category.js';

/** Sets that a transaction locks: all servers of PostgreSQL together have a lock for some thousands. */
const SETS_OF_STEP = 50;

/** As many, or more, are not locked in one transaction, unless something is known in them. */
const LOCKED_TOGETHER = 1_000;

type Known = Pick<Category, 'uid' | 'name'>;

/** Sets, some at a time. */
type Sets = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

type Run = (step: (tx: Transaction) => Promise<boolean>) => Promise<boolean>;

/** Changes what is known in a category in all sets in which it is at work, however many they are. */
@Injectable()
export class CategoryClearing {
  constructor(
    private readonly categories: CategoriesRepository,
    private readonly features: CategoryFeatures,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes it, each step in a transaction of its own: a request that ends before the last one is repeated, and goes on. */
  async clear(category: Known, owner: Owner): Promise<void> {
    const sets = this.categories.setsOf(category, owner, { holdsAny: true });
    await this.removeFrom(sets, category, owner, (step) => this.unitOfWork.run(step));
  }

  /**
   * Removes what came after `clear`, in the transaction in which the category goes, which is locked: no ingestion adds to it.
   * What an import, or a proposal, is just adding to a set is waited for where the sets are few enough to be locked together.
   */
  async clearRest(category: Known, owner: Owner, tx: Transaction): Promise<void> {
    const few = await this.few(category, owner, tx);
    const sets = few ? [few] : this.categories.setsOf(category, owner, { tx, holdsAny: true });
    await this.removeFrom(sets, category, owner, (step) => step(tx));
  }

  /** Lets it expire by what the category says in the transaction, in which that is locked. */
  async expire(category: Known, owner: Owner, tx: Transaction): Promise<void> {
    const few = await this.few(category, owner, tx);
    if (few) await this.features.lock(tx, few);
    for await (const found of few ? [few] : this.categories.setsOf(category, owner, { tx })) {
      for (const setUids of inParts(found, SETS_OF_STEP)) {
        await this.features.expire(tx, owner, { setUids, category: category.name });
      }
    }
  }

  /** All sets; undefined when they are too many to be locked together. */
  private async few(category: Known, owner: Owner, tx: Transaction): Promise<readonly string[] | undefined> {
    const first = await this.categories.setsOf(category, owner, { tx }).next();
    const found = first.done === true ? [] : first.value;
    return found.length < LOCKED_TOGETHER ? found : undefined;
  }

  private async removeFrom(sets: Sets, category: Known, owner: Owner, run: Run): Promise<void> {
    for await (const found of sets) {
      for (const setUids of inParts(found, SETS_OF_STEP)) {
        const of = { setUids, category: category.name };
        while (!(await run((tx) => this.features.removeSome(tx, owner, of)))) continue;
      }
    }
  }
}
