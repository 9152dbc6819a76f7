import { type ServiceName } from '@loci/contracts';
import { NatsModule } from '@loci/messaging';
import { BACKGROUND_POOL_WAIT_MS, PersistenceModule, type SchemaMigrations } from '@loci/persistence';
import { PlatformModule } from '@loci/platform';
import { RegistryModule } from '@loci/registry';
import { type DynamicModule } from '@nestjs/common';
import { type VectorServiceEnv } from './vector-service-env.js';

export interface ServiceSettings {
  /** The name of the process. */
  readonly service: string;
  /** The service, which its PostgreSQL schema is called after. */
  readonly schema: ServiceName;
  /** Its tables, but for those that every service has. */
  readonly entities: readonly (new () => object)[];
  /** What its schema must have before the process starts. */
  readonly migrations: SchemaMigrations['migrations'];
  /** Whether clients wait for none of its work. */
  readonly isBackground?: boolean | undefined;
  /** Calls to one language model at a time; absent = as many as to any model. */
  readonly languageModelConcurrency?: number | undefined;
  /** How often a change of models and settings is asked for whose hint may be lost; absent = as of the registry. */
  readonly registryCheckMs?: number | undefined;
}

/**
 * The global modules that every process of a service with vectors stands on.
 */
export const serviceModules = (
  env: VectorServiceEnv,
  {
    service,
    schema,
    entities,
    migrations,
    isBackground = false,
    languageModelConcurrency,
    registryCheckMs,
  }: ServiceSettings,
): DynamicModule[] => [
  PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
  NatsModule.forRoot({ url: env.NATS_URL, name: service, findsStreams: true }),
  RegistryModule.forRoot({
    secretKeys: env.LOCI_SECRET_KEYS,
    modelSecretPrefix: env.MODEL_SECRET_PREFIX,
    allowPrivateEgress: env.EGRESS_ALLOW_PRIVATE,
    circuitPauseMs: env.MODEL_CIRCUIT_PAUSE_MS,
    maxReplyBytes: env.MODEL_MAX_REPLY_BYTES,
    embedderThreads: env.EMBEDDER_THREADS,
    languageModelConcurrency,
    checkIntervalMs: registryCheckMs,
  }),
  PersistenceModule.forRoot({
    url: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL,
    schema,
    entities,
    migrations,
    poolSize: env.DATABASE_POOL_SIZE,
    connectionWaitMs: isBackground ? BACKGROUND_POOL_WAIT_MS : undefined,
  }),
];
