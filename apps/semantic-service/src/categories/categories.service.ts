import {
  addCategory,
  type AddCategoryRequest,
  addTag,
  type AddTagRequest,
  addTemplate,
  type AddTemplateRequest,
  type CategoryRequest,
  conflict,
  disableCategory,
  type DisableCategoryRequest,
  type ListTemplatesRequest,
  notFound,
  removeCategory,
  type RemoveCategoryRequest,
  removeTag,
  type RemoveTagRequest,
  tenantName,
  updateCategory,
  type UpdateCategoryRequest,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { CategoryFeatures } from '../features/category-features.js';
import {
  type OpenProject,
  type Owner,
  requireChange,
  type Scope,
  scopeOf,
  requireUnboundAuthor,
} from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet, type SetType } from '../sets/set.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { SetsService } from '../sets/sets.service.js';
import { availableCategories } from './available-categories.js';
import { BuiltInDefaults } from './built-in-defaults.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoryClearing } from './category-clearing.js';
import { CategoryQuota } from './category-quota.js';
import { type AvailableCategory, type Category, type NamedCategory } from './category.js';

@Injectable()
export class CategoriesService {
  constructor(
    private readonly categories: CategoriesRepository,
    private readonly quota: CategoryQuota,
    private readonly sets: SetsService,
    private readonly setTypes: SetTypesService,
    private readonly features: CategoryFeatures,
    private readonly clearing: CategoryClearing,
    private readonly projects: ProjectsService,
    private readonly defaults: BuiltInDefaults,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** The categories that are at work in a set. @throws AppError `body_too_large` */
  async available(set: MemorySet, tx?: Transaction): Promise<AvailableCategory[]> {
    const builtIn = this.defaults.of(set.kind);
    const names = builtIn.map(({ name }) => name);
    return availableCategories({ ...(await this.categories.sources(set, names, tx)), builtIn });
  }

  /**
   * Keeps the categories of these names from being removed until the transaction ends. Before it locks their set, as a removal
   * does; `refuseUnavailable` tells then whether they are there.
   */
  async keep(set: MemorySet, names: readonly string[], tx: Transaction): Promise<void> {
    if (names.length === 0) return;
    for (const { uid, name } of await this.available(set, tx)) {
      if (uid !== undefined && names.includes(name)) await this.categories.keep(uid, tx);
    }
  }

  /** In a transaction, the category stays until that ends. @throws AppError `category_not_found` */
  async refuseUnavailable(set: MemorySet, name: string, tx?: Transaction): Promise<void> {
    const available = await this.available(set, tx);
    const found = available.find((category) => category.name === name);
    const isKept = !tx || found?.uid === undefined || (await this.categories.keep(found.uid, tx));
    if (found && isKept) return;
    throw notFound('category_not_found', 'The set does not have this category; add it to the set first.');
  }

  /** @throws AppError `set_not_found`, `category_exists`, `quota_exceeded`, `body_too_large`, `invalid_request` */
  async add(request: AddCategoryRequest): Promise<string> {
    return this.writeTo(addCategory.subject, request, (tx, { set }) =>
      this.insert({ ...named(request), parent: { setUid: set.uid } }, set, tx),
    );
  }

  /** @throws AppError `set_type_not_found`, `category_exists`, `quota_exceeded`, `body_too_large` */
  async addTemplate(request: AddTemplateRequest): Promise<string> {
    const prepare = (): Promise<OpenProject> => this.projects.ensureOpen(request.tenant);
    return this.write(addTemplate.subject, request, prepare, async (tx, project) => {
      await this.projects.keepOpen(project, tx);
      const type = await this.setTypes.lock(scopeOf(project, request.organization), request.setTypeId, tx);
      return this.insert({ ...named(request), parent: { setTypeUid: type.uid } }, type, tx);
    });
  }

  /** @throws AppError `category_not_found` */
  async get(request: CategoryRequest): Promise<Category> {
    return known(await this.find(await this.projects.scope(request), request));
  }

  /** @throws AppError `set_type_not_found`, `body_too_large` */
  async templates(request: ListTemplatesRequest): Promise<NamedCategory[]> {
    const type = await this.setTypes.get(await this.projects.scope(request), request.setTypeId);
    return this.categories.templates(type);
  }

  /** The ids of the sets in which the category is at work; none for one that does not exist. @throws AppError `body_too_large` */
  async setIds(request: CategoryRequest): Promise<string[]> {
    const scope = await this.projects.scope(request);
    const found = await this.find(scope, request);
    return found ? this.categories.setIdsOf(found, scope) : [];
  }

  /** @throws AppError `set_not_found`, `invalid_request`, `body_too_large` */
  async disable(request: DisableCategoryRequest): Promise<void> {
    await this.writeTo(disableCategory.subject, request, async (tx, { set }) => {
      // an ingestion that writes to the category now ends first, or sees that it is disabled
      await this.features.lock(tx, [set.uid]);
      await this.quota.lock(set.orgId, tx);
      const disabled = await this.categories.disable(set, [request.name], tx);
      if (disabled > 0) await this.quota.checkDisabled(set, tx);
      return '';
    });
  }

  /** What is known in it expires by the new time from now on, also what had expired. @throws AppError `category_not_found` */
  async update(request: UpdateCategoryRequest): Promise<void> {
    const ttlSeconds = request.ttlSeconds === 0 ? undefined : request.ttlSeconds;
    await this.writeExisting(updateCategory.subject, request, async (tx) => {
      const { category, owner } = await this.changeable(request, tx);
      await this.categories.setTimeToLive(owner, category.uid, ttlSeconds, tx);
      await this.clearing.expire(category, owner, tx);
      return '';
    });
  }

  /** Its features go with it. @throws AppError `category_not_found` */
  async remove(request: RemoveCategoryRequest): Promise<void> {
    const clear = async (): Promise<void> => {
      const { category, owner } = await this.changeable(request);
      await this.clearing.clear(category, owner);
    };
    await this.write(removeCategory.subject, request, clear, async (tx) => {
      const { category, owner } = await this.changeable(request, tx);
      await this.clearing.clearRest(category, owner, tx);
      await this.categories.remove(owner, category.uid, tx);
      return '';
    });
    this.outbox.wake();
  }

  /** @throws AppError `category_not_found`, `body_too_large` */
  addTag(request: AddTagRequest): Promise<string> {
    return this.writeExisting(addTag.subject, request, async (tx) => {
      const { category, owner } = await this.changeable(request, tx);
      const uid = uuidv7();
      const { name, description } = request;
      await this.quota.lock(owner.orgId, tx);
      await this.categories.addTags(owner, category.uid, [{ uid, name, description }], tx);
      await this.quota.checkTags(category, owner, tx);
      return uid;
    });
  }

  /** @throws AppError `tag_not_found`, `forbidden` */
  async removeTag(request: RemoveTagRequest): Promise<void> {
    const { tagId } = request;
    await this.writeExisting(removeTag.subject, request, async (tx) => {
      const scope = await this.projects.scope(request, tx);
      const owner = isUuid(tagId) ? await this.categories.holdTag(scope, tagId, tx) : undefined;
      if (!owner) throw notFound('tag_not_found', 'This tag does not exist; there is nothing to delete.');
      requireChange(scope, owner);
      await this.categories.removeTag(owner, tagId, tx);
      return '';
    });
  }

  private async insert(category: Category, owner: MemorySet | SetType, tx: Transaction): Promise<string> {
    await this.quota.lock(owner.orgId, tx);
    if (await this.categories.add(category, owner, tx)) {
      await this.quota.check(owner.orgId, category.parent, tx);
      return category.uid;
    }
    throw conflict(
      'category_exists',
      'There is a category of this name already; delete it first, or choose another name.',
    );
  }

  private async find(
    scope: Scope,
    { categoryId: uid }: Pick<CategoryRequest, 'categoryId'>,
  ): Promise<Category | undefined> {
    return isUuid(uid) ? this.categories.find(scope, uid) : undefined;
  }

  /** In a transaction, as it is from here on, until that ends. @throws AppError `category_not_found`, `forbidden` */
  private async changeable(
    request: CategoryRequest,
    tx?: Transaction,
  ): Promise<{ readonly category: Category; readonly owner: Owner }> {
    const { categoryId: uid } = request;
    const scope = await this.projects.scope(request, tx);
    const found = known(isUuid(uid) ? await this.categories.findOwned(scope, uid, tx) : undefined);
    requireChange(scope, found.owner);
    return found;
  }

  private writeTo(
    operation: string,
    request: Pick<AddCategoryRequest, 'tenant' | 'organization' | 'setId' | 'idempotency'>,
    work: (tx: Transaction, target: Target) => Promise<string>,
  ): Promise<string> {
    const prepare = async (): Promise<Target> => {
      const project = await this.projects.ensureOpen(request.tenant);
      return { project, set: await this.sets.ensure(project, request.organization, request.setId) };
    };
    return this.write(operation, request, prepare, async (tx, target) => {
      await this.projects.keepOpen(target.project, tx);
      return work(tx, target);
    });
  }

  private write<Prepared>(
    operation: string,
    { tenant, idempotency }: Pick<AddCategoryRequest, 'tenant' | 'idempotency'>,
    prepare: () => Promise<Prepared>,
    work: (tx: Transaction, prepared: Prepared) => Promise<string>,
  ): Promise<string> {
    requireUnboundAuthor();
    const scope = { tenant: tenantName(tenant), operation };
    return this.idempotency.runPrepared(scope, idempotency, prepare, work);
  }

  private writeExisting(
    operation: string,
    { tenant, idempotency }: Pick<AddCategoryRequest, 'tenant' | 'idempotency'>,
    work: (tx: Transaction) => Promise<string>,
  ): Promise<string> {
    requireUnboundAuthor();
    return this.idempotency.run({ tenant: tenantName(tenant), operation }, idempotency, work);
  }
}

interface Target {
  readonly project: OpenProject;
  readonly set: MemorySet;
}

function known<Found>(category: Found | undefined): Found {
  if (!category) throw notFound('category_not_found', 'This category does not exist; add it first.');
  return category;
}

const named = ({
  name,
  prompt,
  description,
  ttlSeconds,
}: Pick<AddCategoryRequest, 'name' | 'prompt' | 'description' | 'ttlSeconds'>): Omit<Category, 'parent'> => ({
  uid: uuidv7(),
  name,
  prompt,
  description,
  ttlSeconds,
});
