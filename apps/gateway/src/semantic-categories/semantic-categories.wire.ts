import { type Category, type CategoryTemplate } from '@loci/contracts';
import { filledText, nullish, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { nullable } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

const id = text('MAX_LABEL_CHARS');
const name = filledText('MAX_LABEL_CHARS');

class CategoryBody extends request('CategorySpec', {
  ...TenantBody.schema.properties,
  category_name: name,
  prompt: text('MAX_CONTENT_CHARS'),
  description: nullish(text('MAX_DESCRIPTION_CHARS')),
}) {}

export class AddCategoryBody extends request('AddCategorySpec', {
  ...CategoryBody.schema.properties,
  set_id: setId,
}) {}

export class AddTemplateBody extends request('AddTemplateSpec', {
  ...CategoryBody.schema.properties,
  set_type_id: id,
}) {}

export class CategoryIdBody extends request('CategoryIdSpec', {
  ...TenantBody.schema.properties,
  category_id: id,
}) {}

export class ListTemplatesBody extends request('ListTemplatesSpec', {
  ...TenantBody.schema.properties,
  set_type_id: id,
}) {}

export class DisableCategoryBody extends request('DisableCategorySpec', {
  ...TenantBody.schema.properties,
  set_id: setId,
  category_name: name,
}) {}

export class AddTagBody extends request('AddTagSpec', {
  ...CategoryIdBody.schema.properties,
  tag_name: name,
  tag_description: text('MAX_DESCRIPTION_CHARS'),
}) {}

export class DeleteTagBody extends request('DeleteTagSpec', {
  ...TenantBody.schema.properties,
  tag_id: id,
}) {}

export const categoryIdAnswer = Type.Object({ category_id: Type.String() }, { title: 'CategoryId' });
export type CategoryIdAnswer = Static<typeof categoryIdAnswer>;

export const tagIdAnswer = Type.Object({ tag_id: Type.String() }, { title: 'TagId' });
export type TagIdAnswer = Static<typeof tagIdAnswer>;

export const setIdsAnswer = Type.Object({ set_ids: Type.Array(Type.String()) }, { title: 'CategorySetIds' });
export type SetIdsAnswer = Static<typeof setIdsAnswer>;

export const categoryAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prompt: Type.String({ description: 'What the language model is told to extract.' }),
    description: nullable(Type.String()),
  },
  { title: 'SemanticCategory' },
);
export type CategoryAnswer = Static<typeof categoryAnswer>;

export const fromCategory = ({ categoryId, prompt, description, ...rest }: Category): CategoryAnswer => ({
  id: categoryId,
  name: rest.name,
  prompt,
  description: description ?? null,
});

const templateAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    origin_type: Type.Literal('set_type'),
    origin_id: Type.String(),
    inherited: Type.Boolean(),
  },
  { title: 'SemanticCategoryTemplate' },
);
type TemplateAnswer = Static<typeof templateAnswer>;

export const templateListAnswer = Type.Object(
  { categories: Type.Array(templateAnswer) },
  { title: 'SemanticCategoryTemplateList' },
);
export type TemplateListAnswer = Static<typeof templateListAnswer>;

export const fromTemplate = (template: CategoryTemplate): TemplateAnswer => ({
  id: template.categoryId,
  name: template.name,
  origin_type: template.originType,
  origin_id: template.originId,
  inherited: template.inherited,
});
