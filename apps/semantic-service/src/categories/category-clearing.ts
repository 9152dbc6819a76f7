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

interface SetsToClear {
  /** Absent = each step in one of its own. */
  readonly tx?: Transaction;
  readonly holdsAny: boolean;
}

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
    await this.removeFrom(category, owner, { holdsAny: true });
  }

  /**
   * Removes what came after `clear`, in the transaction in which the category goes, which is locked: no ingestion adds to it.
   * What an import, or a proposal, is just adding to a set is waited for where the sets are few enough to be locked together.
   */
  async clearRest(category: Known, owner: Owner, tx: Transaction): Promise<void> {
    const holdsAny = !(await this.areFew(category, owner, tx));
    await this.removeFrom(category, owner, { tx, holdsAny });
  }

  /** Lets it expire by what the category says in the transaction, in which that is locked. */
  async expire(category: Known, owner: Owner, tx: Transaction): Promise<void> {
    const areFew = await this.areFew(category, owner, tx);
    for await (const found of this.categories.setsOf(category, owner, { tx })) {
      for (const setUids of inParts(found, SETS_OF_STEP)) {
        const of = { setUids, category: category.name };
        if (areFew) await this.features.lockSets(tx, setUids);
        await this.features.expire(tx, owner, of);
      }
    }
  }

  private async areFew(category: Known, owner: Owner, tx: Transaction): Promise<boolean> {
    const first = await this.categories.setsOf(category, owner, { tx }).next();
    return first.done === true || first.value.length < LOCKED_TOGETHER;
  }

  private async removeFrom(category: Known, owner: Owner, from: SetsToClear): Promise<void> {
    const { tx } = from;
    for await (const found of this.categories.setsOf(category, owner, from)) {
      for (const setUids of inParts(found, SETS_OF_STEP)) {
        const step = (within: Transaction): Promise<boolean> =>
          this.features.removeSome(within, owner, { setUids, category: category.name });
        while (!(await (tx ? step(tx) : this.unitOfWork.run(step)))) continue;
      }
    }
  }
}
