import {
  MAX_ANSWER_BYTES,
  MAX_CATEGORY_TAGS,
  MAX_DISABLED_CATEGORIES,
  quotaExceeded,
  tooLarge,
} from '@loci/contracts';
import { QuotaLimits, quotaRefusals, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { rowsIn } from '../projects/row-scope.js';
import { type Owner } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { type Category } from './category.js';
import { COUNT_TAGS } from './count-tags.sql.js';
import { DISABLED_NAMES } from './disabled-names.sql.js';
import { MOST_CATEGORIES, MOST_CATEGORY_BYTES } from './most-categories.sql.js';

/** Far more than the names of all that a set can inherit. They are one line of an export, which is one answer of a service. */
const MAX_DISABLED_BYTES = 1024 * 1024;

/** How many categories one set may have, those that it inherits included, and of how many bytes: a model is told of each. */
@Injectable()
export class CategoryQuota {
  private readonly refusals;

  constructor(
    private readonly limits: QuotaLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = quotaRefusals(metrics);
  }

  /** Before categories of the organization are added: no other transaction adds any until this one ends. */
  lock(orgId: string, tx: Transaction): Promise<void> {
    return this.limits.lock(orgId, tx);
  }

  /** After one was added. @throws AppError `quota_exceeded` when that was one too many, and as `checkBytes` */
  async check(orgId: string, location: Category['parent'], tx: Transaction): Promise<void> {
    const limit =
      (await this.limits.of(orgId, tx)).get('categories_per_set') ?? this.env.QUOTA_CATEGORIES_PER_SET;
    await this.checkBytes(orgId, location, tx);
    const most = await this.most(MOST_CATEGORIES, [orgId, ...uidsOf(location)], tx);
    if (most <= limit) return;
    this.refusals.inc({ quota: 'categories_per_set' });
    throw quotaExceeded(orgId, { name: 'categories_per_set', limit, used: most - 1 });
  }

  /** After the texts of one became longer. @throws AppError `body_too_large` when those of a set are not read any more */
  async checkBytes(orgId: string, location: Category['parent'], tx: Transaction): Promise<void> {
    const bytes = await this.most(MOST_CATEGORY_BYTES, [orgId, ...uidsOf(location)], tx);
    if (bytes <= MAX_ANSWER_BYTES) return;
    throw tooLarge(
      'body_too_large',
      `The prompts and tags of the categories of a set would have ${bytes} bytes, more than ${MAX_ANSWER_BYTES}; shorten the text, or delete categories.`,
    );
  }

  /** After it got another tag. @param owner of the category @throws AppError `body_too_large` when these are too many, and as `checkBytes` */
  async checkTags({ uid, parent }: Category, owner: Owner, tx: Transaction): Promise<void> {
    await this.checkBytes(owner.orgId, parent, tx);
    const [row] = await this.unitOfWork.execute(COUNT_TAGS, [uid], { tx, scope: rowsIn(owner) });
    if ((row?.tags ?? 0) <= MAX_CATEGORY_TAGS) return;
    throw tooLarge('body_too_large', `A category has at most ${MAX_CATEGORY_TAGS} tags; delete some first.`);
  }

  /**
   * After a set was made to do without categories, which it need not have had.
   * @throws AppError `body_too_large` when all that it does without are too many, or their names too long together
   */
  async checkDisabled(set: MemorySet, tx: Transaction): Promise<void> {
    const [row] = await this.unitOfWork.execute(DISABLED_NAMES, [set.uid], { tx, scope: rowsIn(set) });
    const { names = 0, bytes = 0 } = row ?? {};
    if (names <= MAX_DISABLED_CATEGORIES && bytes <= MAX_DISABLED_BYTES) return;
    throw tooLarge(
      'body_too_large',
      `A set would do without ${names} categories, whose names have ${bytes} bytes; the limits are ${MAX_DISABLED_CATEGORIES} and ${MAX_DISABLED_BYTES}. Name only categories that it inherits.`,
    );
  }

  /** Of the set of the organization that has most. */
  mostInASet(orgId: string): Promise<number> {
    return this.most(MOST_CATEGORIES, [orgId, null, null]);
  }

  /** Of all projects of the organization. */
  private async most(
    statement: typeof MOST_CATEGORIES,
    parameters: readonly (string | null)[],
    tx?: Transaction,
  ): Promise<number> {
    const [row] = await this.unitOfWork.execute(statement, parameters, { tx, scope: ROWS_OF_ALL });
    return row?.most ?? 0;
  }
}

const uidsOf = (location: Category['parent']): [setUid: string | null, typeUid: string | null] =>
  'setUid' in location ? [location.setUid, null] : [null, location.setTypeUid];
