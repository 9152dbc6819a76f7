import {
  type SemanticParts,
  type TransferredCategory,
  type TransferredSet,
  type TransferredSetType,
  type TransferredTemplate,
} from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { CategoryQuota } from '../categories/category-quota.js';
import { type Category } from '../categories/category.js';
import { requireUnboundAuthor, scopeOf } from '../projects/project.js';
import { tagKeys } from '../sets/set-identity.js';
import { type SetConfiguration } from '../sets/set.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { SetTypeQuota } from '../sets/set-type-quota.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { type ImportContext, countChanges } from './import-context.js';

/** A set with those of its models that exist here. */
export interface UsableSet extends TransferredSet {
  readonly lacksModel: boolean;
}

/** What became of parts; those in neither count were there already. */
interface ImportedStructure {
  /** Added or completed. */
  readonly added: number;
  /** Sets that lack a model, whatever else of them was added. */
  readonly leftOut: number;
}

type Structure = Omit<SemanticParts, 'features' | 'sets'> & { readonly sets: readonly UsableSet[] };

type Owner = Parameters<CategoriesRepository['add']>[1];

/** Set types, templates, what was chosen for sets, and categories. What is there already stays as it is. */
@Injectable()
export class StructureImport {
  constructor(
    private readonly sets: SetsRepository,
    private readonly types: SetTypesService,
    private readonly typeQuota: SetTypeQuota,
    private readonly categories: CategoriesRepository,
    private readonly quota: CategoryQuota,
  ) {}

  /**
   * @param parts whose sets are registered
   * @throws AppError `producer_not_allowed` when any was, for a key that is bound to a producer
   */
  async add(parts: Structure, context: ImportContext): Promise<ImportedStructure> {
    const lacking = parts.sets.filter(({ lacksModel }) => lacksModel);
    const complete = parts.sets.filter(({ lacksModel }) => !lacksModel);
    const added =
      (await countChanges(parts.setTypes, (type) => this.addType(type, context))) +
      (await countChanges(parts.templates, (template) => this.addTemplate(template, context))) +
      (await countChanges(complete, (set) => this.choose(set, context))) +
      (await countChanges(parts.categories, (category) => this.addCategory(category, context)));
    const ofLacking = await countChanges(lacking, (set) => this.choose(set, context));
    if (added + ofLacking > 0) requireUnboundAuthor();
    return { added, leftOut: lacking.length };
  }

  private async addType(type: TransferredSetType, context: ImportContext): Promise<boolean> {
    const uid = uuidv7();
    return (await this.typeOf(type, uid, context)) === uid;
  }

  /** @returns the uid of the type: the given one when there was none */
  private typeOf(
    { isOrgLevel, tags, name, description }: TransferredSetType,
    uid: string,
    { tx, project }: ImportContext,
  ): Promise<string> {
    const owner = { orgId: project.tenant.orgId, projectUid: isOrgLevel ? undefined : project.uid };
    return this.typeQuota.add({ ...owner, uid, tags: tagKeys(tags), name, description }, tx);
  }

  private async addTemplate(
    { setType, ...template }: TransferredTemplate,
    context: ImportContext,
  ): Promise<boolean> {
    const { tx, project, organization } = context;
    const uid = await this.typeOf(setType, uuidv7(), context);
    const type = await this.types.lock(scopeOf(project, organization), uid, tx);
    return this.addPrompt(template, { parent: { setTypeUid: type.uid }, owner: type, tx });
  }

  private addCategory(
    { set: name, ...category }: TransferredCategory,
    context: ImportContext,
  ): Promise<boolean> {
    const set = context.sets.of(name);
    return this.addPrompt(category, { parent: { setUid: set.uid }, owner: set, tx: context.tx });
  }

  /** The tags come with a category that is new, and are left alone where it is not. */
  private async addPrompt(
    { tags, ...prompt }: Omit<TransferredCategory, 'set'>,
    { parent, owner, tx }: { parent: Category['parent']; owner: Owner; tx: Transaction },
  ): Promise<boolean> {
    const { name, prompt: text, description, ttlSeconds } = prompt;
    const category = { uid: uuidv7(), parent, name, prompt: text, description, ttlSeconds };
    await this.quota.lock(owner.orgId, tx);
    if (!(await this.categories.add(category, owner, tx))) return false;
    const withUids = tags.map((tag) => ({ ...tag, uid: uuidv7() }));
    await this.categories.addTags(owner, category.uid, withUids, tx);
    await this.quota.check(owner.orgId, parent, tx);
    return true;
  }

  private async choose(given: TransferredSet, { tx, sets }: ImportContext): Promise<boolean> {
    const set = sets.of(given);
    const configuration: SetConfiguration = { embedderName: given.embedderName, llmName: given.llmName };
    const isPreset = await this.sets.preset(set, configuration, tx);
    if (given.disabledCategories.length > 0) await this.quota.lock(set.orgId, tx);
    const disabled = await this.categories.disable(set, given.disabledCategories, tx);
    if (disabled > 0) await this.quota.checkDisabled(set, tx);
    return isPreset || disabled > 0;
  }
}
