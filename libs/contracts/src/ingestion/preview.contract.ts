import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { SaidMessage } from '../episodes/said-message.contract.js';
import { operation } from '../operation.js';
import { CHANGE_ACTIONS, type ChangeAction, FeatureState } from '../semantic/feature-history.contract.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';
import { Validity } from '../semantic/validity.contract.js';
import { EXTRACTION_COMMANDS } from './dead-letter.contract.js';
import { PromptMessage } from './model-call.contract.js';
import { ModelUse } from './model-use.contract.js';

/** As many as one call of ingestion reads. */
export const MAX_PREVIEWED_MESSAGES = 50;

/** How long a preview may take, the call of its model included. */
export const PREVIEW_TIMEOUT_MS = 14_000;

export class PreviewIngestionRequest extends SemanticRequest {
  @IsString()
  readonly setId!: string;

  /** The category whose prompt is tried, or which the given prompt is tried for. */
  @IsString()
  readonly category!: string;

  /** Instead of that of the category, which need not exist then. */
  @IsOptional()
  @IsString()
  readonly prompt?: string | undefined;

  /** Descriptions of tags by name, instead of those of the category. */
  @IsOptional()
  @IsObject()
  readonly tags?: Readonly<Record<string, string>> | undefined;

  /** Uids of stored messages of the project. */
  @IsArray()
  @ArrayMaxSize(MAX_PREVIEWED_MESSAGES)
  @IsString({ each: true })
  readonly episodes!: readonly string[];

  /** Messages that are not stored, behind those that are. */
  @IsArray()
  @ArrayMaxSize(MAX_PREVIEWED_MESSAGES)
  @ValidateNested({ each: true })
  @Type(() => SaidMessage)
  readonly messages!: readonly SaidMessage[];
}

/** A command that the model gives. */
export class PreviewedCommand {
  /** Absent when the model asks for none that there is; such a one is refused. */
  @IsOptional()
  @IsIn(EXTRACTION_COMMANDS)
  readonly command?: (typeof EXTRACTION_COMMANDS)[number] | undefined;

  @IsOptional()
  @IsString()
  readonly subject?: string | undefined;

  @IsString()
  readonly tag!: string;

  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly value?: string | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => Validity)
  readonly validity?: Pick<Validity, 'validFrom' | 'validUntil'> | undefined;

  @IsOptional()
  @IsBoolean()
  readonly isSingleValued?: boolean | undefined;

  /** Numbers of the messages that it cites, from 1; empty where that is not known. */
  @IsInt({ each: true })
  readonly messages!: readonly number[];

  /** Why it would not be carried out; absent = it would be. */
  @IsOptional()
  @IsString()
  readonly refused?: string | undefined;
}

/** What would become of one feature. */
export class PreviewedChange {
  @IsIn(CHANGE_ACTIONS)
  readonly action!: ChangeAction;

  /** Absent for one that would be new. */
  @IsOptional()
  @IsString()
  readonly featureId?: string | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => FeatureState)
  readonly before?: FeatureState | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => FeatureState)
  readonly after?: FeatureState | undefined;
}

/** What it says, and what asking for it took. */
export class IngestionPreview extends ModelUse {
  /** Name of the language model. */
  @IsString()
  readonly model!: string;

  /** Why the reply is of no use, as a stable slug and in a sentence; absent when it is of use. */
  @IsOptional()
  @IsString()
  readonly code?: string | undefined;

  @IsOptional()
  @IsString()
  readonly reason?: string | undefined;

  @ValidateNested({ each: true })
  @Type(() => PromptMessage)
  readonly prompt!: readonly PromptMessage[];

  /** The last one; absent when none came. */
  @IsOptional()
  @IsString()
  readonly reply?: string | undefined;

  /** Whether the texts are longer than what is shown of them. */
  @IsBoolean()
  readonly isCut!: boolean;

  @ValidateNested({ each: true })
  @Type(() => PreviewedCommand)
  readonly commands!: readonly PreviewedCommand[];

  @ValidateNested({ each: true })
  @Type(() => PreviewedChange)
  readonly changes!: readonly PreviewedChange[];
}

/**
 * Asks the model of a set what it makes of messages, and changes nothing; the call counts against the quotas. A reply that is of
 * no use is an answer, with its reason. Errors: `project_not_found`,
 * `set_not_found`, `category_not_found`, `memory_not_found`, `invalid_request`, `model_quota_exceeded`, `overloaded`, and
 * those of models.
 */
export const previewIngestion = operation(
  'semantic',
  'ingestion.preview',
  { request: PreviewIngestionRequest, response: IngestionPreview },
  PREVIEW_TIMEOUT_MS,
);
