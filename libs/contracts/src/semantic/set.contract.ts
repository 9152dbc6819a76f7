import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { event } from '../message.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { SetReference } from '../set-name.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';

/** The most sets that one message belongs to, and that one search looks into for its metadata. Of set types, those that were made first count. */
export const MAX_SETS_OF_MESSAGE = 64;

/** The most characters that keys and values of the sets of types have together: the id of each set holds its own. */
export const MAX_SET_TAGS_CHARS = 65_536;

export class AddSetTypeRequest extends SemanticWriteRequest {
  /** Of the whole organization, or of the tenant's project alone. */
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  /** The metadata keys that an episode must have to belong to a set of this type. */
  @IsArray()
  @IsString({ each: true })
  readonly tags!: readonly string[];

  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;
}

export class SetTypeIdentity {
  @IsString()
  readonly setTypeId!: string;
}

export class SetType extends SetTypeIdentity {
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  /** Sorted, each once. */
  @IsString({ each: true })
  readonly tags!: readonly string[];

  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;
}

export class ListSetTypesRequest extends SemanticRequest {
  /** Absent = all. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly limit?: number | undefined;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly offset?: number | undefined;
}

export class SetTypeList {
  @ValidateNested({ each: true })
  @Type(() => SetType)
  readonly setTypes!: readonly SetType[];
}

export class RemoveSetTypeRequest extends SemanticWriteRequest {
  @IsString()
  readonly setTypeId!: string;
}

export class IdentifySetRequest extends SemanticRequest {
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  @IsArray()
  @IsString({ each: true })
  readonly tags!: readonly string[];

  /** Values of the tags; a tag without one is left out. */
  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;
}

export class SetIdentity {
  @IsString()
  readonly setId!: string;
}

export class ListSetsRequest extends SemanticRequest {
  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;
}

export class SemanticSet extends SetIdentity {
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  @IsString({ each: true })
  readonly tags!: readonly string[];

  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;
}

export class SetList {
  @ValidateNested({ each: true })
  @Type(() => SemanticSet)
  readonly sets!: readonly SemanticSet[];
}

export class ConfigureSetRequest extends SemanticWriteRequest {
  @IsString()
  readonly setId!: string;

  /** Absent = unchanged. */
  @IsOptional()
  @IsString()
  readonly embedderName?: string | undefined;

  /** Absent = unchanged. */
  @IsOptional()
  @IsString()
  readonly llmName?: string | undefined;
}

/** Gives the set type of these tags, made if it is missing. Errors: `project_being_deleted`. */
export const addSetType = operation('semantic', 'set-type.add', {
  request: AddSetTypeRequest,
  response: SetTypeIdentity,
});

/** Those of the organization and those of the project, oldest first. Errors: `body_too_large`. */
export const listSetTypes = operation('semantic', 'set-type.list', {
  request: ListSetTypesRequest,
  response: SetTypeList,
});

/** With its templates and the features in them. Errors: `set_type_not_found`. */
export const removeSetType = operation('semantic', 'set-type.remove', {
  request: RemoveSetTypeRequest,
  response: Done,
});

/** The id of the set for these tags and values; nothing is stored. Errors: `set_not_found`, `project_not_found`. */
export const identifySet = operation('semantic', 'set.identify', {
  request: IdentifySetRequest,
  response: SetIdentity,
});

/** The sets that an episode with this metadata belongs to, whether or not they are empty. */
export const listSets = operation('semantic', 'set.list', { request: ListSetsRequest, response: SetList });

/** Errors: `set_not_found`, `unknown_resource`, `invalid_request` for an id without a known prefix. */
export const configureSet = operation('semantic', 'set.configure', {
  request: ConfigureSetRequest,
  response: Done,
});

/** A set chose other models. */
export const setsConfigured = event('semantic', 'sets.configured', SetReference);
