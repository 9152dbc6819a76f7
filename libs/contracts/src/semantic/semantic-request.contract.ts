import { Type } from 'class-transformer';
import { IsIn, IsOptional, ValidateNested } from 'class-validator';
import { ORGANIZATION_ACCESS, type OrganizationAccess } from '../api-keys/access.js';
import { IdempotencyToken } from '../idempotency.js';
import { ProjectRequest } from '../projects/project.contract.js';

/** A request about semantic memory: of a project, and of its organization as far as the caller may. */
export class SemanticRequest extends ProjectRequest {
  /** What the caller may do with what belongs to the organization as a whole. */
  @IsIn(ORGANIZATION_ACCESS)
  readonly organization!: OrganizationAccess;
}

/** A request that writes: repeatable with the key that the client sent. */
export class SemanticWriteRequest extends SemanticRequest {
  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}
