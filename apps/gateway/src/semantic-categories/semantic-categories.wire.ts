import { type Category, type CategoryTemplate } from '@loci/contracts';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
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

export interface CategoryAnswer {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly description: string | null;
}

export const fromCategory = ({ categoryId, prompt, description, ...rest }: Category): CategoryAnswer => ({
  id: categoryId,
  name: rest.name,
  prompt,
  description: description ?? null,
});

export interface TemplateAnswer {
  readonly id: string;
  readonly name: string;
  readonly origin_type: 'set_type';
  readonly origin_id: string;
  readonly inherited: boolean;
}

export const fromTemplate = (template: CategoryTemplate): TemplateAnswer => ({
  id: template.categoryId,
  name: template.name,
  origin_type: template.originType,
  origin_id: template.originId,
  inherited: template.inherited,
});
