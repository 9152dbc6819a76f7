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
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  AddCategoryBody,
  AddTagBody,
  AddTemplateBody,
  type CategoryAnswer,
  CategoryIdBody,
  DeleteTagBody,
  DisableCategoryBody,
  fromCategory,
  fromTemplate,
  ListTemplatesBody,
  type TemplateAnswer,
} from './semantic-categories.wire.js';

/** Routes 22 to 30 of api-contract §1.3. */
@Controller(['api/v2/memories/semantic/category', 'v2/memories/semantic/category'])
export class SemanticCategoriesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @HttpCode(201)
  @Access('write')
  async add(
    @Body() body: AddCategoryBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ category_id: string }> {
    const { set_id: setId, category_name: name, prompt, description } = body;
    const request = { tenant: tenantOf(body), setId, name, prompt, description, idempotency };
    return { category_id: (await this.rpc.call(addCategory, request)).categoryId };
  }

  @Post('get')
  @HttpCode(200)
  @Access('read')
  async get(@Body() body: CategoryIdBody): Promise<CategoryAnswer> {
    return fromCategory(
      await this.rpc.call(getCategory, { tenant: tenantOf(body), categoryId: body.category_id }),
    );
  }

  @Post('template')
  @HttpCode(201)
  @Access('write')
  async addTemplate(
    @Body() body: AddTemplateBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ category_id: string }> {
    const { set_type_id: setTypeId, category_name: name, prompt, description } = body;
    const request = { tenant: tenantOf(body), setTypeId, name, prompt, description, idempotency };
    return { category_id: (await this.rpc.call(addTemplate, request)).categoryId };
  }

  @Post('template/list')
  @HttpCode(200)
  @Access('read')
  async listTemplates(@Body() body: ListTemplatesBody): Promise<{ categories: TemplateAnswer[] }> {
    const request = { tenant: tenantOf(body), setTypeId: body.set_type_id };
    return { categories: (await this.rpc.call(listTemplates, request)).templates.map(fromTemplate) };
  }

  @Post('disable')
  @HttpCode(204)
  @Access('write')
  async disable(
    @Body() body: DisableCategoryBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { set_id: setId, category_name: name } = body;
    await this.rpc.call(disableCategory, { tenant: tenantOf(body), setId, name, idempotency });
  }

  @Post('set_ids/get')
  @HttpCode(200)
  @Access('read')
  async sets(@Body() body: CategoryIdBody): Promise<{ set_ids: readonly string[] }> {
    const request = { tenant: tenantOf(body), categoryId: body.category_id };
    return { set_ids: (await this.rpc.call(getCategorySets, request)).setIds };
  }

  @Post('delete')
  @HttpCode(204)
  @Access('write')
  async remove(@Body() body: CategoryIdBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    const request = { tenant: tenantOf(body), categoryId: body.category_id, idempotency };
    await this.rpc.call(removeCategory, request);
  }

  @Post('tag')
  @HttpCode(201)
  @Access('write')
  async addTag(
    @Body() body: AddTagBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ tag_id: string }> {
    const { category_id: categoryId, tag_name: name, tag_description: description } = body;
    const request = { tenant: tenantOf(body), categoryId, name, description, idempotency };
    return { tag_id: (await this.rpc.call(addTag, request)).tagId };
  }

  @Post('tag/delete')
  @HttpCode(204)
  @Access('write')
  async removeTag(@Body() body: DeleteTagBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    await this.rpc.call(removeTag, { tenant: tenantOf(body), tagId: body.tag_id, idempotency });
  }
}
