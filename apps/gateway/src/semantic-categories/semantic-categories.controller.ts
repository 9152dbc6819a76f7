import {
  addCategory,
  addTag,
  addTemplate,
  disableCategory,
  getCategory,
  getCategorySets,
  type IdempotencyToken,
  listTemplates,
  removeCategory,
  removeTag,
  type OrganizationAccess,
  updateCategory,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  AddCategoryBody,
  AddTagBody,
  AddTemplateBody,
  type CategoryAnswer,
  categoryAnswer,
  type CategoryIdAnswer,
  categoryIdAnswer,
  CategoryIdBody,
  DeleteTagBody,
  DisableCategoryBody,
  fromCategory,
  fromTemplate,
  ListTemplatesBody,
  type SetIdsAnswer,
  setIdsAnswer,
  type TagIdAnswer,
  tagIdAnswer,
  type TemplateListAnswer,
  templateListAnswer,
  toDefinition,
  UpdateCategoryBody,
} from './semantic-categories.wire.js';

/** Routes 22 to 30 of api-contract §1.3. */
@Tagged('Semantic Memory: Categories')
@Controller(['api/v2/memories/semantic/category', 'v2/memories/semantic/category'])
export class SemanticCategoriesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @HttpCode(201)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'add_semantic_category',
    summary: 'Adds a category of features to a set.',
    answer: categoryIdAnswer,
    errors: [
      'project_not_found',
      'project_being_deleted',
      'set_not_found',
      'category_exists',
      'quota_exceeded',
    ],
  })
  async add(
    @Body() body: AddCategoryBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<CategoryIdAnswer> {
    const request = { ...toDefinition(body), organization, setId: body.set_id, idempotency };
    return { category_id: (await this.rpc.call(addCategory, request)).categoryId };
  }

  @Post('get')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_semantic_category',
    summary: 'Shows a category.',
    answer: categoryAnswer,
    errors: ['category_not_found'],
  })
  async get(
    @Body() body: CategoryIdBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<CategoryAnswer> {
    return fromCategory(
      await this.rpc.call(getCategory, {
        tenant: tenantOf(body),
        organization,
        categoryId: body.category_id,
      }),
    );
  }

  @Post('template')
  @HttpCode(201)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'add_semantic_category_template',
    summary: 'Adds a category that every set of a type inherits.',
    answer: categoryIdAnswer,
    errors: [
      'project_not_found',
      'project_being_deleted',
      'set_type_not_found',
      'category_exists',
      'quota_exceeded',
    ],
  })
  async addTemplate(
    @Body() body: AddTemplateBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<CategoryIdAnswer> {
    const request = { ...toDefinition(body), organization, setTypeId: body.set_type_id, idempotency };
    return { category_id: (await this.rpc.call(addTemplate, request)).categoryId };
  }

  @Post('template/list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_semantic_category_templates',
    summary: 'Lists the categories that the sets of a type inherit.',
    answer: templateListAnswer,
    errors: ['set_type_not_found'],
  })
  async listTemplates(
    @Body() body: ListTemplatesBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<TemplateListAnswer> {
    const request = { tenant: tenantOf(body), organization, setTypeId: body.set_type_id };
    return { categories: (await this.rpc.call(listTemplates, request)).templates.map(fromTemplate) };
  }

  @Post('disable')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'disable_semantic_category',
    summary: 'Takes an inherited or a built-in category from a set.',
    errors: ['project_not_found', 'project_being_deleted', 'set_not_found', 'quota_exceeded'],
  })
  async disable(
    @Body() body: DisableCategoryBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { set_id: setId, category_name: name } = body;
    await this.rpc.call(disableCategory, { tenant: tenantOf(body), organization, setId, name, idempotency });
  }

  @Post('set_ids/get')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_semantic_category_set_ids',
    summary: 'Lists the sets that have a category.',
    answer: setIdsAnswer,
  })
  async sets(
    @Body() body: CategoryIdBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<SetIdsAnswer> {
    const request = { tenant: tenantOf(body), organization, categoryId: body.category_id };
    return { set_ids: [...(await this.rpc.call(getCategorySets, request)).setIds] };
  }

  @Post('update')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'update_semantic_category',
    summary: 'Changes how long the features of a category hold without being said again.',
    errors: ['category_not_found'],
  })
  async update(
    @Body() body: UpdateCategoryBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { category_id: categoryId, ttl_seconds: ttlSeconds } = body;
    await this.rpc.call(updateCategory, {
      tenant: tenantOf(body),
      organization,
      categoryId,
      ttlSeconds,
      idempotency,
    });
  }

  @Post('delete')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'delete_semantic_category',
    summary: 'Deletes a category with its tags and the features in it.',
    errors: ['category_not_found'],
  })
  async remove(
    @Body() body: CategoryIdBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const request = { tenant: tenantOf(body), organization, categoryId: body.category_id, idempotency };
    await this.rpc.call(removeCategory, request);
  }

  @Post('tag')
  @HttpCode(201)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'add_semantic_tag',
    summary: 'Adds a tag to a category: what the language model is told to look for.',
    answer: tagIdAnswer,
    errors: ['category_not_found'],
  })
  async addTag(
    @Body() body: AddTagBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<TagIdAnswer> {
    const { category_id: categoryId, tag_name: name, tag_description: description } = body;
    const request = { tenant: tenantOf(body), organization, categoryId, name, description, idempotency };
    return { tag_id: (await this.rpc.call(addTag, request)).tagId };
  }

  @Post('tag/delete')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'delete_semantic_tag',
    summary: 'Deletes a tag.',
    errors: ['tag_not_found'],
  })
  async removeTag(
    @Body() body: DeleteTagBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(removeTag, { tenant: tenantOf(body), organization, tagId: body.tag_id, idempotency });
  }
}
