import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { AccessBounds } from '../api-keys/access.js';
import { work } from '../message.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';

export const CALLER_KINDS = ['api-key', 'user', 'static-token'] as const;

/** Beside callers, what the service itself does to the audit. */
export const ACTOR_KINDS = [...CALLER_KINDS, 'system'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Resources that one record names at most; a longer request names its first ones. */
export const MAX_AUDITED_RESOURCES = 1_000;

/** What they take at most, in UTF-8: a thousand ids of ours fit, and one record never crowds out those of others. */
export const MAX_AUDITED_RESOURCE_BYTES = 64 * 1024;

/** Who did what to which resource, with which outcome. Never what was written. */
export class AuditRecord {
  @IsUUID()
  readonly id!: string;

  @IsISO8601()
  readonly at!: string;

  @IsString()
  readonly requestId!: string;

  /** Of the client, as far as the proxies in between can be trusted; absent where no client asked. */
  @IsOptional()
  @IsString()
  readonly clientAddress?: string | undefined;

  @IsIn(ACTOR_KINDS)
  readonly actorKind!: ActorKind;

  /** The id of an API key, the subject of an OpenID Connect token, or the name of a token of the deployment. */
  @IsString()
  readonly actor!: string;

  /** The organization that the actor is bound to; absent for one of the deployment. */
  @IsOptional()
  @IsString()
  readonly actorOrgId?: string | undefined;

  /** Method and route, for example `POST /api/v2/memories`, or the name of a tool: `tool delete_memory`. */
  @IsString()
  readonly operation!: string;

  @IsOptional()
  @IsString()
  readonly orgId?: string | undefined;

  @IsOptional()
  @IsString()
  readonly projectId?: string | undefined;

  /** The ids that the request named and those that it created. */
  @IsString({ each: true })
  @ArrayMaxSize(MAX_AUDITED_RESOURCES)
  readonly resources!: readonly string[];

  /** How many ids there were, if that is more than the record names. */
  @IsOptional()
  @IsInt()
  readonly resourceCount?: number | undefined;

  /** The HTTP status of the answer; absent as long as it is not known. */
  @IsOptional()
  @IsInt()
  readonly status?: number | undefined;

  /** The slug of the failure, if it was one. */
  @IsOptional()
  @IsString()
  readonly code?: string | undefined;
}

export class AuditRecords {
  @ValidateNested({ each: true })
  @Type(() => AuditRecord)
  readonly records!: readonly AuditRecord[];
}

export class ListAuditRequest {
  /** Only records of what lies within. */
  @ValidateNested()
  @Type(() => AccessBounds)
  readonly within!: AccessBounds;

  @IsOptional()
  @IsString()
  readonly actor?: string | undefined;

  @IsOptional()
  @IsString()
  readonly operation?: string | undefined;

  @IsOptional()
  @IsString()
  readonly resource?: string | undefined;

  @IsOptional()
  @IsISO8601()
  readonly since?: string | undefined;

  @IsOptional()
  @IsISO8601()
  readonly until?: string | undefined;

  /** Only records before this one: the last of the page before. */
  @IsOptional()
  @IsUUID()
  readonly before?: string | undefined;

  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit!: number;
}

export class AuditPage extends AuditRecords {
  /** What `before` of the next page is; absent on the last one. */
  @IsOptional()
  @IsString()
  @Length(1, 64)
  readonly next?: string | undefined;
}

/** Newest first. */
export const listAudit = operation('config', 'audit.list', {
  request: ListAuditRequest,
  response: AuditPage,
});

/** Its answer says that the records are stored. */
export const recordAudit = operation('config', 'audit.record', { request: AuditRecords, response: Done });

/** Each of them an `AuditRecord`, to be checked one by one: what is wrong with one is not the fault of the others. */
export class AuditRecordList {
  @IsArray()
  readonly records!: readonly unknown[];
}

/** Work message: to store records that no request waits for. */
export const recordAuditLater = work('config', 'audit.record', AuditRecordList);
