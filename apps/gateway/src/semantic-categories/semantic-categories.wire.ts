import { type Category, type CategoryTemplate } from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { nullable } from '../wire/answers.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, text } from '../wire/reading/text.js';
import { TenantBody } from '../wire/tenant.wire.js';

const id = text('MAX_LABEL_CHARS');
const name = filledText('MAX_LABEL_CHARS');

class CategoryBody extends TenantBody {
  @Wire(name)
  readonly category_name!: string;

  @Wire(text('MAX_CONTENT_CHARS'))
  readonly prompt!: string;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { optional: true, nullable: true })
  readonly description?: string | undefined;
}

export class AddCategoryBody extends CategoryBody {
  @Wire(setId)
  readonly set_id!: string;
}

export class AddTemplateBody extends CategoryBody {
  @Wire(id)
  readonly set_type_id!: string;
}

export class CategoryIdBody extends TenantBody {
  @Wire(id)
  readonly category_id!: string;
}

export class ListTemplatesBody extends TenantBody {
  @Wire(id)
  readonly set_type_id!: string;
}

export class DisableCategoryBody extends TenantBody {
  @Wire(setId)
  readonly set_id!: string;

  @Wire(name)
  readonly category_name!: string;
}

export class AddTagBody extends CategoryIdBody {
  @Wire(name)
  readonly tag_name!: string;

  @Wire(text('MAX_DESCRIPTION_CHARS'))
  readonly tag_description!: string;
}

export class DeleteTagBody extends TenantBody {
  @Wire(id)
  readonly tag_id!: string;
}

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
