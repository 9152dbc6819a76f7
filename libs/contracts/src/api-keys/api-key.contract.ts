import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsBase64,
  IsBoolean,
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
import { IdempotencyToken } from '../idempotency.js';
import { event } from '../message.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { ACCESS_SCOPES, AccessBounds, type AccessScope } from './access.js';
import { OneWithin, PageWithin } from './within.js';

export const API_KEY_NAME_MAX_CHARS = 200;

/** A week: a secret that stays valid longer was not rotated. */
export const MAX_ROTATION_GRACE_SECONDS = 7 * 24 * 60 * 60;

/** An API key as its administrators see it. Its secret is not part of it: the secret is not stored. */
export class ApiKey {
  @IsUUID()
  readonly id!: string;

  @IsString()
  readonly name!: string;

  /** The beginning of the secret. */
  @IsString()
  readonly hint!: string;

  @ArrayNotEmpty()
  @IsIn(ACCESS_SCOPES, { each: true })
  readonly scopes!: readonly AccessScope[];

  @ValidateNested()
  @Type(() => AccessBounds)
  readonly bounds!: AccessBounds;

  /** The only producer that it speaks for; absent = any. */
  @IsOptional()
  @IsString()
  readonly producer?: string | undefined;

  @IsISO8601()
  readonly createdAt!: string;

  @IsOptional()
  @IsISO8601()
  readonly expiresAt?: string | undefined;

  /** When its secret was last replaced. */
  @IsOptional()
  @IsISO8601()
  readonly rotatedAt?: string | undefined;

  /** Until when the secret before the last rotation is valid. Absent = none is, and in the answer of an older version. */
  @IsOptional()
  @IsISO8601()
  readonly formerValidUntil?: string | undefined;
}

/** An API key whose secret is new. */
export class IssuedApiKey extends ApiKey {
  /** Shown this once. Absent in the answer to a repeated request: it is stored nowhere. */
  @IsOptional()
  @IsString()
  readonly secret?: string | undefined;
}

export class CreateApiKeyRequest {
  @IsString()
  @Length(1, API_KEY_NAME_MAX_CHARS)
  readonly name!: string;

  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(ACCESS_SCOPES, { each: true })
  readonly scopes!: readonly AccessScope[];

  @ValidateNested()
  @Type(() => AccessBounds)
  readonly bounds!: AccessBounds;

  /** Absent = it speaks for any producer. */
  @IsOptional()
  @IsString()
  readonly producer?: string | undefined;

  @IsOptional()
  @IsISO8601()
  readonly expiresAt?: string | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class ListApiKeysRequest extends PageWithin {}

export class ApiKeyList {
  @ValidateNested({ each: true })
  @Type(() => ApiKey)
  readonly keys!: readonly ApiKey[];

  @IsInt()
  readonly total!: number;
}

export class ApiKeyRequest extends OneWithin {}

export class RotateApiKeyRequest extends ApiKeyRequest {
  /** How long the former secret stays valid beside the new one. */
  @IsInt()
  @Min(0)
  @Max(MAX_ROTATION_GRACE_SECONDS)
  readonly graceSeconds!: number;

  /** When the key of the caller ends: it rotates none that lasts longer. Absent = any. */
  @IsOptional()
  @IsISO8601()
  readonly callerEndsAt?: string | undefined;
}

export class VerifyApiKeyRequest {
  /** By `apiKeyDigest`. */
  @IsString()
  @Length(64, 64)
  readonly digest!: string;
}

/** Whom a secret belongs to. */
export class VerifiedApiKey {
  @IsUUID()
  readonly id!: string;

  /** Absent in the answer of an older version. */
  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  /** The only producer that it speaks for; absent = any. */
  @IsOptional()
  @IsString()
  readonly producer?: string | undefined;

  @IsIn(ACCESS_SCOPES, { each: true })
  readonly scopes!: readonly AccessScope[];

  @ValidateNested()
  @Type(() => AccessBounds)
  readonly bounds!: AccessBounds;

  /** When this secret ends: with its key, or with the grace after a rotation. */
  @IsOptional()
  @IsISO8601()
  readonly expiresAt?: string | undefined;

  /** Whether the secret was replaced by a rotation, and is in its grace. */
  @IsOptional()
  @IsBoolean()
  readonly isFormer?: boolean | undefined;
}

export class ApiKeyVerification {
  /** Absent when no valid key has this secret. */
  @IsOptional()
  @ValidateNested()
  @Type(() => VerifiedApiKey)
  readonly key?: VerifiedApiKey | undefined;
}

/** Secrets that are asked about in one request. */
export const MAX_API_KEYS_PER_VERIFICATION = 256;

export class VerifyApiKeysRequest {
  /** By `apiKeyDigest`. */
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_API_KEYS_PER_VERIFICATION)
  @Length(64, 64, { each: true })
  readonly digests!: readonly string[];
}

export class VerifiedSecret extends VerifiedApiKey {
  @IsString()
  readonly digest!: string;
}

export class ApiKeyVerifications {
  /** Of those secrets alone that a valid key has. */
  @ValidateNested({ each: true })
  @Type(() => VerifiedSecret)
  readonly keys!: readonly VerifiedSecret[];
}

export class ApiKeyTagKeyRequest {}

/**
 * What gateways recognize issued secrets by (`hasApiKeyTag`). A caller that knows it can have the config service asked about
 * secrets that do not exist, and nothing else: which secrets are valid is not derived from it.
 */
export class ApiKeyTagKey {
  @IsBase64()
  readonly key!: string;
}

export class ApiKeyReference {
  @IsUUID()
  readonly id!: string;
}

export const createApiKey = operation('config', 'api-key.create', {
  request: CreateApiKeyRequest,
  response: IssuedApiKey,
});

/** Keys that were not revoked, oldest first. */
export const listApiKeys = operation('config', 'api-key.list', {
  request: ListApiKeysRequest,
  response: ApiKeyList,
});

/** One that was not revoked. Errors: `api_key_not_found`. */
export const getApiKey = operation('config', 'api-key.get', { request: ApiKeyRequest, response: ApiKey });

/** Ends a key at once and for good. Errors: `api_key_not_found`. */
export const revokeApiKey = operation('config', 'api-key.revoke', { request: ApiKeyRequest, response: Done });

/** Replaces the secret of a key. Errors: `api_key_not_found`, `api_key_expired`, `forbidden` for one that outlasts that of the caller. */
export const rotateApiKey = operation('config', 'api-key.rotate', {
  request: RotateApiKeyRequest,
  response: IssuedApiKey,
});

/** One at a time: for gateways that do not know `verifyApiKeys` yet. */
export const verifyApiKey = operation('config', 'api-key.verify', {
  request: VerifyApiKeyRequest,
  response: ApiKeyVerification,
});

/** Many at a time, so that a gateway that knows no key yet asks a few times, not once for every caller. */
export const verifyApiKeys = operation(
  'config',
  'api-key.verify-many',
  { request: VerifyApiKeysRequest, response: ApiKeyVerifications },
  5_000,
);

export const getApiKeyTagKey = operation(
  'config',
  'api-key.tag-key',
  { request: ApiKeyTagKeyRequest, response: ApiKeyTagKey },
  5_000,
);

/** A key was revoked or rotated: what other processes remember of it is out of date. */
export const apiKeysChanged = event('config', 'api-keys.changed', ApiKeyReference);
