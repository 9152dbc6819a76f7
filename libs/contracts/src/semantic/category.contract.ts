import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { MAX_TTL_SECONDS } from '../episodes/episode.contract.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';

export class AddCategoryRequest extends SemanticWriteRequest {
  @IsString()
  readonly setId!: string;

  @IsString()
  readonly name!: string;

  /** What the language model is told to look for. */
  @IsString()
  readonly prompt!: string;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;

  /** How long its features hold without being said again, in seconds; absent = for good. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;
}

export class AddTemplateRequest extends SemanticWriteRequest {
  @IsString()
  readonly setTypeId!: string;

  @IsString()
  readonly name!: string;

  @IsString()
  readonly prompt!: string;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;

  /** How long its features hold without being said again, in seconds; absent = for good. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;
}

export class CategoryIdentity {
  @IsString()
  readonly categoryId!: string;
}

export class CategoryRequest extends SemanticRequest {
  @IsString()
  readonly categoryId!: string;
}

export class Category extends CategoryIdentity {
  @IsString()
  readonly name!: string;

  @IsString()
  readonly prompt!: string;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;

  /** How long its features hold without being said again, in seconds; absent = for good. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;
}

export class ListTemplatesRequest extends SemanticRequest {
  @IsString()
  readonly setTypeId!: string;
}

export class CategoryTemplate extends CategoryIdentity {
  @IsString()
  readonly name!: string;

  @IsIn(['set_type'])
  readonly originType!: 'set_type';

  @IsString()
  readonly originId!: string;

  @IsBoolean()
  readonly inherited!: boolean;
}

export class TemplateList {
  @ValidateNested({ each: true })
  @Type(() => CategoryTemplate)
  readonly templates!: readonly CategoryTemplate[];
}

export class DisableCategoryRequest extends SemanticWriteRequest {
  @IsString()
  readonly setId!: string;

  @IsString()
  readonly name!: string;
}

export class CategorySetIds {
  @IsString({ each: true })
  readonly setIds!: readonly string[];
}

export class RemoveCategoryRequest extends SemanticWriteRequest {
  @IsString()
  readonly categoryId!: string;
}

export class UpdateCategoryRequest extends SemanticWriteRequest {
  @IsString()
  readonly categoryId!: string;

  /** How long its features hold without being said again, in seconds; 0 = for good. */
  @IsInt()
  @Min(0)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds!: number;
}

export class AddTagRequest extends SemanticWriteRequest {
  @IsString()
  readonly categoryId!: string;

  @IsString()
  readonly name!: string;

  @IsString()
  readonly description!: string;
}

export class TagIdentity {
  @IsString()
  readonly tagId!: string;
}

export class RemoveTagRequest extends SemanticWriteRequest {
  @IsString()
  readonly tagId!: string;
}

/** Errors: `set_not_found`, `category_exists`. */
export const addCategory = operation('semantic', 'category.add', {
  request: AddCategoryRequest,
  response: CategoryIdentity,
});

/** A category that every set of a type inherits. Errors: `set_type_not_found`, `category_exists`. */
export const addTemplate = operation('semantic', 'template.add', {
  request: AddTemplateRequest,
  response: CategoryIdentity,
});

/** Errors: `category_not_found`. */
export const getCategory = operation('semantic', 'category.get', {
  request: CategoryRequest,
  response: Category,
});

/** Errors: `set_type_not_found`. */
export const listTemplates = operation('semantic', 'template.list', {
  request: ListTemplatesRequest,
  response: TemplateList,
});

/** Takes a built-in category or a template from a set. Idempotent. Errors: `set_not_found`. */
export const disableCategory = operation('semantic', 'category.disable', {
  request: DisableCategoryRequest,
  response: Done,
});

/** The registered sets in which the category is at work; none for one that does not exist. */
export const getCategorySets = operation('semantic', 'category.sets', {
  request: CategoryRequest,
  response: CategorySetIds,
});

/** What is known already counts from when it was last said, too. Errors: `category_not_found`. */
export const updateCategory = operation('semantic', 'category.update', {
  request: UpdateCategoryRequest,
  response: Done,
});

/** With its tags and the features in it. Errors: `category_not_found`. */
export const removeCategory = operation('semantic', 'category.remove', {
  request: RemoveCategoryRequest,
  response: Done,
});

/** Errors: `category_not_found`. */
export const addTag = operation('semantic', 'tag.add', { request: AddTagRequest, response: TagIdentity });

/** Errors: `tag_not_found`. */
export const removeTag = operation('semantic', 'tag.remove', { request: RemoveTagRequest, response: Done });
