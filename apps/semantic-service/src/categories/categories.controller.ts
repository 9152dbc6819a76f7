import {
  addCategory,
  type AddCategoryRequest,
  addTag,
  type AddTagRequest,
  addTemplate,
  type AddTemplateRequest,
  type Category,
  type CategoryIdentity,
  type CategoryRequest,
  type CategorySetIds,
  disableCategory,
  type DisableCategoryRequest,
  type Done,
  getCategory,
  getCategorySets,
  listTemplates,
  type ListTemplatesRequest,
  removeCategory,
  type RemoveCategoryRequest,
  removeSetType,
  type RemoveSetTypeRequest,
  removeTag,
  type RemoveTagRequest,
  type TagIdentity,
  type TemplateList,
  updateCategory,
  type UpdateCategoryRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { CategoriesService } from './categories.service.js';
import { SetTypeRemoval } from './set-type-removal.js';

@Controller()
export class CategoriesController {
  constructor(
    private readonly categories: CategoriesService,
    private readonly setTypes: SetTypeRemoval,
  ) {}

  @Handle(addCategory)
  async add(request: AddCategoryRequest): Promise<CategoryIdentity> {
    return { categoryId: await this.categories.add(request) };
  }

  @Handle(addTemplate)
  async addTemplate(request: AddTemplateRequest): Promise<CategoryIdentity> {
    return { categoryId: await this.categories.addTemplate(request) };
  }

  @Handle(getCategory)
  async get(request: CategoryRequest): Promise<Category> {
    const { uid, name, prompt, description, ttlSeconds } = await this.categories.get(request);
    return { categoryId: uid, name, prompt, description, ttlSeconds };
  }

  @Handle(listTemplates)
  async listTemplates(request: ListTemplatesRequest): Promise<TemplateList> {
    const templates = await this.categories.templates(request);
    return {
      templates: templates.map(({ uid, name }) => ({
        categoryId: uid,
        name,
        originType: 'set_type',
        originId: request.setTypeId,
        inherited: true,
      })),
    };
  }

  @Handle(disableCategory)
  async disable(request: DisableCategoryRequest): Promise<Done> {
    await this.categories.disable(request);
    return {};
  }

  @Handle(getCategorySets)
  async sets(request: CategoryRequest): Promise<CategorySetIds> {
    return { setIds: await this.categories.setIds(request) };
  }

  @Handle(updateCategory)
  async update(request: UpdateCategoryRequest): Promise<Done> {
    await this.categories.update(request);
    return {};
  }

  @Handle(removeCategory)
  async remove(request: RemoveCategoryRequest): Promise<Done> {
    await this.categories.remove(request);
    return {};
  }

  @Handle(addTag)
  async addTag(request: AddTagRequest): Promise<TagIdentity> {
    return { tagId: await this.categories.addTag(request) };
  }

  @Handle(removeTag)
  async removeTag(request: RemoveTagRequest): Promise<Done> {
    await this.categories.removeTag(request);
    return {};
  }

  @Handle(removeSetType)
  async removeSetType(request: RemoveSetTypeRequest): Promise<Done> {
    await this.setTypes.remove(request);
    return {};
  }
}
