import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { event } from '../message.js';
import { operation } from '../operation.js';
import { MemoryConfiguration } from './memory-configuration.contract.js';

export const RESOURCE_KINDS = ['language_model', 'embedder', 'reranker'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export const RESOURCE_STATUSES = ['pending', 'ready', 'failed'] as const;
export type ResourceStatus = (typeof RESOURCE_STATUSES)[number];

/**
 * A language model, embedder or reranker as the registry knows it. Unique by kind and name. Secrets in `config` are
 * references (`$NAME`, `${NAME}`) or sealed texts, never literals: the process that uses the resource resolves them.
 */
export class Resource {
  @IsIn(RESOURCE_KINDS)
  readonly kind!: ResourceKind;

  @IsString()
  readonly name!: string;

  /** Canonical: `openai-responses`, never the alias a client used. */
  @IsString()
  readonly provider!: string;

  @IsObject()
  readonly config!: Readonly<Record<string, unknown>>;

  /** Grows whenever provider or config change: what was built from an older one is out of date. */
  @IsInt()
  @Min(1)
  readonly revision!: number;

  @IsIn(RESOURCE_STATUSES)
  readonly status!: ResourceStatus;

  /** Why it is `failed`, for a person to act on, without any secret. */
  @IsOptional()
  @IsString()
  readonly error?: string | undefined;
}

/** Everything that other services need to know of the control plane, at one moment. */
export class RegistrySnapshot {
  /** Grows with every change of any resource, status or setting. */
  @IsInt()
  @Min(0)
  readonly revision!: number;

  @ValidateNested({ each: true })
  @Type(() => Resource)
  readonly resources!: readonly Resource[];

  @ValidateNested()
  @Type(() => MemoryConfiguration)
  readonly memory!: MemoryConfiguration;
}

export class RegistryRevision {
  @IsInt()
  @Min(0)
  readonly revision!: number;
}

export class GetRegistryRequest {}

export const getRegistry = operation('config', 'registry.get', {
  request: GetRegistryRequest,
  response: RegistrySnapshot,
});

/** The current revision of the registry: a process that has it need not ask for more. */
export const getRegistryRevision = operation('config', 'registry.revision', {
  request: GetRegistryRequest,
  response: RegistryRevision,
});

/** The registry or the memory configuration is another one now; every process asks for the snapshot again. */
export const registryChanged = event('config', 'registry.changed', RegistryRevision);
