import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { operation } from '../operation.js';
import { Done, ProjectRequest } from '../projects/project.contract.js';
import { MAX_TTL_SECONDS } from '../episodes/episode.contract.js';
import { Tenant } from '../tenant.js';

/** Which halves of episodic memory a project uses. */
export class EpisodicSettings {
  @IsBoolean()
  readonly enabled!: boolean;

  @IsBoolean()
  readonly longTermEnabled!: boolean;

  @IsBoolean()
  readonly shortTermEnabled!: boolean;

  /** How long episodes that are added live at most; 0 = until they are deleted. */
  @IsInt()
  readonly ttlSeconds!: number;
}

/** Absent = unchanged. */
export class UpdateEpisodicSettingsRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | undefined;

  @IsOptional()
  @IsBoolean()
  readonly longTermEnabled?: boolean | undefined;

  @IsOptional()
  @IsBoolean()
  readonly shortTermEnabled?: boolean | undefined;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

/** Errors: `project_not_found`. */
export const getEpisodicSettings = operation('episodic', 'settings.get', {
  request: ProjectRequest,
  response: EpisodicSettings,
});

/** In force for every read and write from the moment of the answer. Errors: `project_not_found`, `producer_not_allowed` for a key that is bound to a producer, idempotency. */
export const updateEpisodicSettings = operation('episodic', 'settings.update', {
  request: UpdateEpisodicSettingsRequest,
  response: Done,
});
