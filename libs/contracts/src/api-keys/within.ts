import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { AccessBounds } from './access.js';

/** Asks for a page of what lies within the bounds of the caller. */
export class PageWithin {
  @ValidateNested()
  @Type(() => AccessBounds)
  readonly within!: AccessBounds;

  @IsInt()
  @Min(0)
  readonly offset!: number;

  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit!: number;
}

/** Names one thing that the caller may administer: one outside of its bounds is not found. */
export class OneWithin {
  @ValidateNested()
  @Type(() => AccessBounds)
  readonly within!: AccessBounds;

  @IsString()
  readonly id!: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}
