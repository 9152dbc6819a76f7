import { MAX_ANSWER_BYTES } from '@loci/contracts';
import { ROWS_OF_ALL, rowsWithin, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { type MemorySet, type SetType } from '../sets/set.js';
import { ADD_CATEGORY } from './add-category.sql.js';
import { ADD_TAGS } from './add-tags.sql.js';
import { toAvailable, toCategory, toOwner } from './category-rows.js';
import { CATEGORY_SOURCES } from './category-sources.sql.js';
import { CategoryTagEntity } from './category-tag.entity.js';
import { CategoryEntity } from './category.entity.js';
import { type AvailableCategory, type Category, type NamedCategory } from './category.js';
import { DISABLE_CATEGORIES } from './disable-categories.sql.js';
import { findCategory } from './find-category.sql.js';
import { holdTag } from './hold-tag.sql.js';
import { KEEP_CATEGORY } from './keep-category.sql.js';
import { LACKING_CATEGORIES } from './lacking-categories.sql.js';
import { LIST_TEMPLATES } from './list-templates.sql.js';
import { LOCK_TEMPLATES } from './lock-templates.sql.js';
import { SET_IDS_OF_CATEGORY, SETS_OF_CATEGORY } from './sets-of-category.sql.js';

/** Sets that one statement finds: those of the owner are read, and sorted, for each. */
const SETS_AT_ONCE = 2_000;

const FEWER_CATEGORIES = 'delete categories of the set, or templates of its type, or shorten their prompts';
const FEWER_SETS = 'list the sets of one message instead, by its metadata';
const FEWER_TEMPLATES = 'delete templates that are not needed, or lower the quota categories_per_set';

type Tag = Omit<CategoryTagEntity, 'categoryUid'>;

/** Where categories and their tags are kept. What a scope does not show is not there. */
@Injectable()
export class CategoriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @returns false when the set, or the type of sets, has a category of that name */
  async add(
    { uid, parent, name, prompt, description, ttlSeconds }: Category,
    { orgId, projectUid }: Owner,
    tx: Transaction,
  ): Promise<boolean> {
    const setUid = 'setUid' in parent ? parent.setUid : undefined;
    const typeUid = 'setTypeUid' in parent ? parent.setTypeUid : undefined;
    const values = [uid, orgId, projectUid, setUid, typeUid, name, prompt, description, ttlSeconds];
    const scope = rowsIn({ orgId, projectUid });
    const rows = await this.unitOfWork.execute(ADD_CATEGORY, values, { tx, scope });
    return rows.length === 1;
  }

  async find(scope: Scope, uid: string, tx?: Transaction): Promise<Category | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const statement = findCategory(scope, false);
    const [row] = await this.unitOfWork.execute(statement, values, { tx, scope: rowsIn(scope) });
    return row && toCategory(row);
  }

  /** As `find`, with whose it is; in a transaction, nothing else changes or removes the category until that ends. */
  async findOwned(
    scope: Scope,
    uid: string,
    tx?: Transaction,
  ): Promise<{ category: Category; owner: Owner } | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const statement = findCategory(scope, tx !== undefined);
    const [row] = await this.unitOfWork.execute(statement, values, { tx, scope: rowsIn(scope) });
    return row && { category: toCategory(row), owner: toOwner(row) };
  }

  /** Keeps the category from being removed until the transaction ends. @returns whether it is there */
  async keep(uid: string, tx: Transaction): Promise<boolean> {
    const rows = await this.unitOfWork.execute(KEEP_CATEGORY, [uid], { tx, scope: ROWS_OF_ALL });
    return rows.length === 1;
  }

  /** Oldest first. @throws AppError `body_too_large` */
  async templates(type: SetType): Promise<NamedCategory[]> {
    const values = [type.uid, MAX_ANSWER_BYTES];
    const rows = await this.unitOfWork.execute(LIST_TEMPLATES, values, { scope: rowsIn(type) });
    return rowsWithin(rows, { maxBytes: MAX_ANSWER_BYTES, remedy: FEWER_TEMPLATES });
  }

  /** As `templates`, all of them; nothing else changes or removes them until the transaction ends. */
  async lockTemplates(type: SetType, tx: Transaction): Promise<NamedCategory[]> {
    return [...(await this.unitOfWork.execute(LOCK_TEMPLATES, [type.uid], { tx, scope: rowsIn(type) }))];
  }

  /**
   * The set's own, the templates of its type, and the names of templates and built-in categories that it does without.
   * @throws AppError `body_too_large`
   */
  async sources(
    set: MemorySet,
    builtIn: readonly string[],
    tx?: Transaction,
  ): Promise<{
    own: AvailableCategory[];
    inherited: AvailableCategory[];
    disabled: Set<string>;
  }> {
    const inScope = { tx, scope: rowsIn(set) };
    const [row] = await this.unitOfWork.execute(
      CATEGORY_SOURCES,
      [set.uid, builtIn, MAX_ANSWER_BYTES],
      inScope,
    );
    const { sources = [], disabled = [], page_bytes = 0 } = row ?? {};
    rowsWithin([{ uid: null, page_bytes }], { maxBytes: MAX_ANSWER_BYTES, remedy: FEWER_CATEGORIES });
    return {
      own: sources.filter(({ set_uid }) => set_uid !== null).map((source) => toAvailable(source, 'set')),
      inherited: sources
        .filter(({ set_uid }) => set_uid === null)
        .map((source) => toAvailable(source, 'set_type')),
      disabled: new Set(disabled),
    };
  }

  /** Names that their sets neither have, of their own or by their type, nor do without; built-in ones among them. */
  async lacking(
    wanted: readonly { readonly setUid: string; readonly name: string }[],
    scope: Scope,
    tx: Transaction,
  ): Promise<string[]> {
    const given = JSON.stringify(wanted.map(({ setUid, name }) => ({ set_uid: setUid, name })));
    const rows = await this.unitOfWork.execute(LACKING_CATEGORIES, [given], { tx, scope: rowsIn(scope) });
    return rows.map(({ name }) => name);
  }

  /**
   * The uids of the registered sets in which a category is at work, some at a time.
   * @param holdsAny only those in which something of it is known
   */
  async *setsOf(
    { uid }: Pick<Category, 'uid'>,
    owner: Owner,
    { tx, holdsAny = false }: { readonly tx?: Transaction; readonly holdsAny?: boolean } = {},
  ): AsyncGenerator<readonly string[]> {
    let last: string | null = null;
    for (;;) {
      const values: unknown[] = [uid, last, SETS_AT_ONCE, holdsAny];
      const rows = await this.unitOfWork.execute(SETS_OF_CATEGORY, values, { tx, scope: rowsIn(owner) });
      if (rows.length > 0) yield rows.map((row) => row.uid);
      last = rows.at(-1)?.uid ?? null;
      if (rows.length < SETS_AT_ONCE) return;
    }
  }

  /** The ids of those sets, oldest first. @throws AppError `body_too_large` */
  async setIdsOf({ uid }: Pick<Category, 'uid'>, owner: Owner): Promise<string[]> {
    const values = [uid, MAX_ANSWER_BYTES];
    const rows = await this.unitOfWork.execute(SET_IDS_OF_CATEGORY, values, { scope: rowsIn(owner) });
    return rowsWithin(rows, { maxBytes: MAX_ANSWER_BYTES, remedy: FEWER_SETS }).map(({ id }) => id);
  }

  /** @param ttlSeconds undefined = its features hold for good */
  async setTimeToLive(
    owner: Owner,
    uid: string,
    ttlSeconds: number | undefined,
    tx: Transaction,
  ): Promise<void> {
    const manager = await scopedManager(tx, rowsIn(owner));
    await manager.update(CategoryEntity, { uid }, { ttlSeconds: ttlSeconds ?? null });
  }

  /** With its tags. */
  async remove(owner: Owner, uid: string, tx: Transaction): Promise<void> {
    await (await scopedManager(tx, rowsIn(owner))).delete(CategoryEntity, { uid });
  }

  /** @returns of how many the set did not do without already */
  async disable(set: MemorySet, names: readonly string[], tx: Transaction): Promise<number> {
    const values = [set.uid, names];
    const rows = await this.unitOfWork.execute(DISABLE_CATEGORIES, values, { tx, scope: rowsIn(set) });
    return rows.length;
  }

  /** @param owner of the category */
  async addTags(owner: Owner, categoryUid: string, tags: readonly Tag[], tx: Transaction): Promise<void> {
    const values = [
      categoryUid,
      tags.map(({ uid }) => uid),
      tags.map(({ name }) => name),
      tags.map(({ description }) => description),
    ];
    await this.unitOfWork.execute(ADD_TAGS, values, { tx, scope: rowsIn(owner) });
  }

  /** Keeps a tag until the transaction ends. @returns whose it is */
  async holdTag(scope: Scope, uid: string, tx: Transaction): Promise<Owner | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const [row] = await this.unitOfWork.execute(holdTag(scope), values, { tx, scope: rowsIn(scope) });
    return row && toOwner(row);
  }

  /** @param owner of its category */
  async removeTag(owner: Owner, uid: string, tx: Transaction): Promise<void> {
    await (await scopedManager(tx, rowsIn(owner))).delete(CategoryTagEntity, { uid });
  }
}
