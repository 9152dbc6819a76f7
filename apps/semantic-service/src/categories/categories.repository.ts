import { type Transaction } from '@loci/persistence';
import { type Owner, type Scope } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { type AvailableCategory, type Category } from './category.js';

/** Where categories and their tags are kept. What a scope does not show is not there. */
export abstract class CategoriesRepository {
  /** @returns false when the place has a category of that name */
  abstract add(
    category: Category,
    owner: { readonly orgId: string; readonly projectUid: string | undefined },
    tx: Transaction,
  ): Promise<boolean>;

  abstract find(scope: Scope, uid: string, tx?: Transaction): Promise<Category | undefined>;

  /** As `find`, with whose it is; nothing else changes or removes the category until the transaction ends. */
  abstract hold(
    scope: Scope,
    uid: string,
    tx: Transaction,
  ): Promise<{ readonly category: Category; readonly owner: Owner } | undefined>;

  /** Keeps the category from being removed until the transaction ends. @returns whether it is there */
  abstract keep(uid: string, tx: Transaction): Promise<boolean>;

  /** Oldest first. */
  abstract templates(setTypeUid: string, tx?: Transaction): Promise<Category[]>;

  /** As `templates`; nobody else changes or removes them until the transaction ends. */
  abstract holdTemplates(setTypeUid: string, tx: Transaction): Promise<Category[]>;

  /** The set's own, the templates of its type, and the names that it does without. */
  abstract sources(
    set: MemorySet,
    tx?: Transaction,
  ): Promise<{
    readonly own: AvailableCategory[];
    readonly inherited: AvailableCategory[];
    readonly disabled: Set<string>;
  }>;

  /** The registered sets in which a category is at work. */
  abstract setsOf(category: Category, tx?: Transaction): Promise<MemorySet[]>;

  /** With its tags. */
  abstract remove(uid: string, tx: Transaction): Promise<void>;

  /** @returns false when the set does without the category already */
  abstract disable(setUid: string, name: string, tx: Transaction): Promise<boolean>;

  abstract addTag(
    tag: {
      readonly uid: string;
      readonly categoryUid: string;
      readonly name: string;
      readonly description: string;
    },
    tx: Transaction,
  ): Promise<void>;

  /** Keeps a tag until the transaction ends. @returns whose it is */
  abstract holdTag(scope: Scope, uid: string, tx: Transaction): Promise<Owner | undefined>;

  abstract removeTag(uid: string, tx: Transaction): Promise<void>;
}
