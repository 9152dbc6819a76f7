import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { Tenant } from '../tenant.js';
import {
  RESOURCE_KINDS,
  RESOURCE_STATUSES,
  type ResourceKind,
  type ResourceStatus,
} from './resource.contract.js';

/** What became of a resource in its history: a status, or that it was removed. */
export const RESOURCE_STATES = [...RESOURCE_STATUSES, 'removed'] as const;
export type ResourceState = (typeof RESOURCE_STATES)[number];

export const RESOURCE_NAME_MAX_LENGTH = 255;

export class ResourceReference {
  @IsIn(RESOURCE_KINDS)
  readonly kind!: ResourceKind;

  @IsString()
  @MaxLength(RESOURCE_NAME_MAX_LENGTH)
  readonly name!: string;
}

export class AddResourceRequest extends ResourceReference {
  /** Canonical or an alias. */
  @IsString()
  readonly provider!: string;

  /** Credentials as references or in clear; those in clear are encrypted before they are stored. */
  @IsObject()
  readonly config!: Readonly<Record<string, unknown>>;

  /** Whether memory uses it when it is the first language model that is ready and none was ever chosen; absent: yes. */
  @IsOptional()
  @IsBoolean()
  readonly mayBeDefault?: boolean | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class RemoveResourceRequest extends ResourceReference {
  /** Removes it although something uses it. */
  @IsBoolean()
  readonly force!: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

/** What is known of a resource when the wait for its probe is over. */
export class ResourceOutcome {
  @IsIn(RESOURCE_STATUSES)
  readonly status!: ResourceStatus;

  @IsOptional()
  @IsString()
  readonly error?: string | undefined;

  /** What uses it now, for people. */
  @IsOptional()
  @IsString({ each: true })
  readonly users?: readonly string[] | undefined;

  /** Keys of the configuration that was added which its provider does not know. */
  @IsOptional()
  @IsString({ each: true })
  readonly unknownKeys?: readonly string[] | undefined;
}

export class ResourceReport extends ResourceReference {
  /** Of the resource that failed: a report about an older one changes nothing. */
  @IsInt()
  @Min(1)
  readonly revision!: number;

  /** For a person to act on, without any secret. */
  @IsString()
  @MaxLength(1_000)
  readonly reason!: string;
}

/** A resource as people see it: nothing of its configuration. */
export class ResourceSummary extends ResourceReference {
  @IsString()
  readonly provider!: string;

  @IsIn(RESOURCE_STATUSES)
  readonly status!: ResourceStatus;

  @IsOptional()
  @IsString()
  readonly error?: string | undefined;
}

export class ListResourcesRequest {}

export class ResourceList {
  @ValidateNested({ each: true })
  @Type(() => ResourceSummary)
  readonly resources!: readonly ResourceSummary[];
}

export class ResourceTransition {
  @Matches(INSTANT)
  readonly at!: Instant;

  /** Absent for the first one after an add. */
  @IsOptional()
  @IsIn(RESOURCE_STATES)
  readonly from?: ResourceState | undefined;

  @IsIn(RESOURCE_STATES)
  readonly to!: ResourceState;

  @IsString()
  readonly reason!: string;
}

/** One thing that uses a resource. */
export class ResourceUse {
  /** As a person would name it, for example `project acme/web (embedder)`. */
  @IsString()
  readonly text!: string;

  /** The setting of the memory configuration that names the resource. */
  @IsOptional()
  @IsString()
  readonly setting?: string | undefined;

  /** The project whose settings name it. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant?: Tenant | undefined;

  /** The resource that is made of it. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ResourceReference)
  readonly resource?: ResourceReference | undefined;
}

export class ResourceDetails extends ResourceSummary {
  /** Credentials that were given in clear are masked; references are shown. */
  @IsObject()
  readonly config!: Readonly<Record<string, unknown>>;

  @IsInt()
  @Min(1)
  readonly revision!: number;

  /** Came with Loci; cannot be replaced or removed. */
  @IsBoolean()
  readonly isBuiltIn!: boolean;

  /** Who would miss it, for people. */
  @IsArray()
  @IsString({ each: true })
  readonly users!: readonly string[];

  /** The same, for programs. Absent in the answer of an older version. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => ResourceUse)
  readonly uses?: readonly ResourceUse[] | undefined;

  /** Newest first, at most 100; those of a former resource of the same name included. */
  @ValidateNested({ each: true })
  @Type(() => ResourceTransition)
  readonly transitions!: readonly ResourceTransition[];
}

/**
 * Stores a resource, or replaces the one of this name, and probes it; waits a few seconds for the outcome.
 * Errors: `producer_not_allowed` for a key that is bound to a producer, `invalid_request` (provider or config),
 * `unknown_resource` (a reranker made of others), `resource_built_in`.
 */
export const addResource = operation('config', 'resource.add', {
  request: AddResourceRequest,
  response: ResourceOutcome,
});

/** Errors: `producer_not_allowed`, `resource_not_found`, `resource_in_use` (with the users, unless forced), `resource_built_in`. */
export const removeResource = operation('config', 'resource.remove', {
  request: RemoveResourceRequest,
  response: Done,
});

/** Probes a failed resource now; one that is ready stays so. Errors: `producer_not_allowed`, `resource_not_found`. */
export const retryResource = operation('config', 'resource.retry', {
  request: ResourceReference,
  response: ResourceOutcome,
});

export const listResources = operation('config', 'resource.list', {
  request: ListResourcesRequest,
  response: ResourceList,
});

/** Errors: `resource_not_found`. */
export const getResource = operation('config', 'resource.get', {
  request: ResourceReference,
  response: ResourceDetails,
});

/** A ready resource kept failing in real use: it becomes `failed`, and is probed again by itself. */
export const reportResource = operation('config', 'resource.report', {
  request: ResourceReport,
  response: Done,
});
