import { type ServiceName } from '@loci/contracts';
import { NatsModule } from '@loci/messaging';
import { PersistenceModule } from '@loci/persistence';
import { PlatformModule } from '@loci/platform';
import { RegistryModule } from '@loci/registry';
import { type DynamicModule } from '@nestjs/common';
import { type VectorServiceEnv } from './vector-service-env.js';

/**
 * The global modules that every process of a service with vectors stands on.
 * @param service the name of the process
 * @param schema the service, which its PostgreSQL schema and its streams are called after
 */
export const serviceModules = (
  env: VectorServiceEnv,
  { service, schema }: { readonly service: string; readonly schema: ServiceName },
): DynamicModule[] => [
  PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
  NatsModule.forRoot({
    url: env.NATS_URL,
    name: service,
    owner: schema,
    streamReplicas: env.NATS_STREAM_REPLICAS,
  }),
  RegistryModule.forRoot({
    secretKeys: env.LOCI_SECRET_KEYS,
    modelSecretPrefix: env.MODEL_SECRET_PREFIX,
    allowPrivateEgress: env.EGRESS_ALLOW_PRIVATE,
    circuitPauseMs: env.MODEL_CIRCUIT_PAUSE_MS,
    maxReplyBytes: env.MODEL_MAX_REPLY_BYTES,
    embedderThreads: env.EMBEDDER_THREADS,
  }),
  PersistenceModule.forRoot({
    url: env.DATABASE_URL,
    schema,
    entities: [],
    poolSize: env.DATABASE_POOL_SIZE,
  }),
];
