import {
  type AddCategoryRequest,
  type Category,
  type CategoryTemplate,
  MAX_TTL_SECONDS,
} from '@loci/contracts';
import { described, integer, nameText, nullish, text, withKeywords } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { nullable } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';

const id = text('MAX_LABEL_CHARS');
const name = nameText('MAX_LABEL_CHARS');

class CategoryBody extends request('CategorySpec', {
  ...TenantBody.schema.properties,
  category_name: described(name, 'Name of the category, of which a set has one.', 'diet'),
  prompt: described(
    text('MAX_CONTENT_CHARS'),
    'What the language model is told to extract.',
    'Extract what the user eats, and what the user does not eat.',
  ),
  description: described(
    nullish(text('MAX_DESCRIPTION_CHARS')),
    'What the category is for, for people. Absent or null = none.',
    'Food that the user likes or avoids',
  ),
  ttl_seconds: nullish(
    withKeywords(integer({ min: 1, max: MAX_TTL_SECONDS }), {
      description:
        'How long its features hold without being said again, in seconds from when their last message was said: then no answer shows them any more, unless it is asked for what expired. Absent or null = for good.',
    }),
  ),
}) {}

/** What a category and a template are defined by. */
export const toDefinition = (
  body: CategoryBody,
): Pick<AddCategoryRequest, 'tenant' | 'name' | 'prompt' | 'description' | 'ttlSeconds'> => ({
  tenant: tenantOf(body),
  name: body.category_name,
  prompt: body.prompt,
  description: body.description,
  ttlSeconds: body.ttl_seconds,
});

export class AddCategoryBody extends request('AddCategorySpec', {
  ...CategoryBody.schema.properties,
  set_id: described(setId, 'Id of the set that gets the category.', EXAMPLE_SET_ID),
}) {}

export class AddTemplateBody extends request('AddTemplateSpec', {
  ...CategoryBody.schema.properties,
  set_type_id: described(id, 'Id of the set type whose sets inherit the category.', EXAMPLE_UID),
}) {}

export class CategoryIdBody extends request('CategoryIdSpec', {
  ...TenantBody.schema.properties,
  category_id: described(id, 'Id of the category or template.', EXAMPLE_UID),
}) {}

export class UpdateCategoryBody extends request('UpdateCategorySpec', {
  ...CategoryIdBody.schema.properties,
  ttl_seconds: described(
    integer({ min: 0, max: MAX_TTL_SECONDS }),
    'How long its features hold without being said again, in seconds from when their last message was said; 0 = for good. It counts for what is known already, too: what was last said within that time holds again.',
    2_592_000,
  ),
}) {}

export class ListTemplatesBody extends request('ListTemplatesSpec', {
  ...TenantBody.schema.properties,
  set_type_id: described(id, 'Id of the set type.', EXAMPLE_UID),
}) {}

export class DisableCategoryBody extends request('DisableCategorySpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set.', EXAMPLE_SET_ID),
  category_name: described(name, 'Name of the category, a built-in or an inherited one.', 'profile'),
}) {}

export class AddTagBody extends request('AddTagSpec', {
  ...CategoryIdBody.schema.properties,
  tag_name: described(name, 'Name of the tag.', 'allergies'),
  tag_description: described(
    text('MAX_DESCRIPTION_CHARS'),
    'What belongs under the tag, as the language model is told.',
    'What the user must not eat',
  ),
}) {}

export class DeleteTagBody extends request('DeleteTagSpec', {
  ...TenantBody.schema.properties,
  tag_id: described(id, 'Id of the tag.', EXAMPLE_UID),
}) {}

export const categoryIdAnswer = Type.Object(
  {
    category_id: described(Type.String(), 'Id of the category or template.', EXAMPLE_UID),
  },
  { title: 'CategoryId' },
);
export type CategoryIdAnswer = Static<typeof categoryIdAnswer>;

export const tagIdAnswer = Type.Object(
  { tag_id: described(Type.String(), 'Id of the tag.', EXAMPLE_UID) },
  { title: 'TagId' },
);
export type TagIdAnswer = Static<typeof tagIdAnswer>;

export const setIdsAnswer = Type.Object(
  {
    set_ids: described(Type.Array(Type.String()), 'Ids of the sets that have the category.', [
      EXAMPLE_SET_ID,
    ]),
  },
  { title: 'CategorySetIds' },
);
export type SetIdsAnswer = Static<typeof setIdsAnswer>;

export const categoryAnswer = Type.Object(
  {
    id: described(Type.String(), 'Id of the category.', EXAMPLE_UID),
    name: described(Type.String(), 'Name of the category.', 'diet'),
    prompt: Type.String({ description: 'What the language model is told to extract.' }),
    description: described(
      nullable(Type.String()),
      'What the category is for, for people; null = nothing is said.',
      'Food that the user likes or avoids',
    ),
    ttl_seconds: Type.Optional(
      Type.Integer({
        description: 'How long its features hold without being said again, in seconds; absent = for good.',
      }),
    ),
  },
  { title: 'SemanticCategory' },
);
export type CategoryAnswer = Static<typeof categoryAnswer>;

export const fromCategory = ({
  categoryId,
  prompt,
  description,
  ttlSeconds,
  ...rest
}: Category): CategoryAnswer => ({
  id: categoryId,
  name: rest.name,
  prompt,
  description: description ?? null,
  ...(ttlSeconds !== undefined && { ttl_seconds: ttlSeconds }),
});

const templateAnswer = Type.Object(
  {
    id: described(Type.String(), 'Id of the template.', EXAMPLE_UID),
    name: described(Type.String(), 'Name of the category.', 'diet'),
    origin_type: described(Type.Literal('set_type'), 'Always `set_type`.'),
    origin_id: described(Type.String(), 'Id of the set type.', EXAMPLE_UID),
    inherited: described(Type.Boolean(), 'Whether sets inherit it.'),
  },
  { title: 'SemanticCategoryTemplate' },
);
type TemplateAnswer = Static<typeof templateAnswer>;

export const templateListAnswer = Type.Object(
  { categories: described(Type.Array(templateAnswer), 'The templates of the set type.') },
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
