import {
  type SemanticParts,
  type TransferredCategory,
  type TransferredSet,
  type TransferredSetType,
  type TransferredTag,
  type TransferredTemplate,
} from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { CategoryQuota } from '../categories/category-quota.js';
import { type Category } from '../categories/category.js';
import { scopeOf } from '../projects/project.js';
import { tagKeys } from '../sets/set-identity.js';
import { type SetConfiguration } from '../sets/set.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { type Arrival, countChanges, setOf } from './arrival.js';

type Owner = Parameters<CategoriesRepository['add']>[1];

/** Set types, templates, what was chosen for sets, and categories. What is there already stays as it is. */
@Injectable()
export class StructureImport {
  constructor(
    private readonly sets: SetsRepository,
    private readonly types: SetTypesService,
    private readonly categories: CategoriesRepository,
    private readonly quota: CategoryQuota,
  ) {}

  /** @param parts whose sets are registered, and name models that exist @returns how many were added or completed */
  async add(parts: Omit<SemanticParts, 'features'>, arrival: Arrival): Promise<number> {
    return (
      (await countChanges(parts.setTypes, (type) => this.addType(type, arrival))) +
      (await countChanges(parts.templates, (template) => this.addTemplate(template, arrival))) +
      (await countChanges(parts.sets, (set) => this.choose(set, arrival))) +
      (await countChanges(parts.categories, (category) => this.addCategory(category, arrival)))
    );
  }

  private async addType(type: TransferredSetType, arrival: Arrival): Promise<boolean> {
    const uid = uuidv7();
    return (await this.typeOf(type, uid, arrival)) === uid;
  }

  /** @returns the uid of the type: the given one when there was none */
  private typeOf(
    { isOrgLevel, tags, name, description }: TransferredSetType,
    uid: string,
    { tx, project }: Arrival,
  ): Promise<string> {
    const owner = { orgId: project.tenant.orgId, projectUid: isOrgLevel ? undefined : project.uid };
    return this.sets.addType({ ...owner, uid, tags: tagKeys(tags), name, description }, tx);
  }

  private async addTemplate(
    { setType, ...template }: TransferredTemplate,
    arrival: Arrival,
  ): Promise<boolean> {
    const { tx, project, organization } = arrival;
    const uid = await this.typeOf(setType, uuidv7(), arrival);
    const type = await this.types.hold(scopeOf(project, organization), uid, tx);
    return this.addPrompt(template, { place: { setTypeUid: type.uid }, owner: type, tx });
  }

  private addCategory({ set: name, ...category }: TransferredCategory, arrival: Arrival): Promise<boolean> {
    const set = setOf(arrival.project, name);
    return this.addPrompt(category, { place: { setUid: set.uid }, owner: set, tx: arrival.tx });
  }

  /** The tags come with a category that is new, and are left alone where it is not. */
  private async addPrompt(
    { tags, ...prompt }: Omit<TransferredCategory, 'set'>,
    { place, owner, tx }: { place: Category['place']; owner: Owner; tx: Transaction },
  ): Promise<boolean> {
    const { name, prompt: text, description } = prompt;
    const category = { uid: uuidv7(), place, name, prompt: text, description };
    await this.quota.lock(owner.orgId, tx);
    if (!(await this.categories.add(category, owner, tx))) return false;
    await this.quota.check(owner.orgId, place, tx);
    await this.addTags(category.uid, tags, tx);
    return true;
  }

  private async addTags(
    categoryUid: string,
    tags: readonly TransferredTag[],
    tx: Transaction,
  ): Promise<void> {
    for (const { name, description } of tags) {
      await this.categories.addTag({ uid: uuidv7(), categoryUid, name, description }, tx);
    }
  }

  private async choose(set: TransferredSet, { tx, project }: Arrival): Promise<boolean> {
    const { uid } = setOf(project, set);
    const configuration: SetConfiguration = { embedderName: set.embedderName, llmName: set.llmName };
    const isPreset = await this.sets.preset(uid, configuration, tx);
    const disabled = await countChanges(set.disabledCategories, (name) =>
      this.categories.disable(uid, name, tx),
    );
    return isPreset || disabled > 0;
  }
}
