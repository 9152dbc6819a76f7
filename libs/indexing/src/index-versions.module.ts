import { type MemoryConfiguration } from '@loci/contracts';
import { HealthChecks } from '@loci/platform';
import { EmbeddedEmbedder, Registry } from '@loci/registry';
import { type DynamicModule, Module } from '@nestjs/common';
import { VectorCollections } from './collections/vector-collections.js';
import { IndexMarksRepository } from './content/index-marks.repository.js';
import { VectorServiceEnv } from './service-start/vector-service-env.js';
import { ReembeddingsRepository } from './reembedding/reembeddings.repository.js';
import { Embedders } from './index-versions/embedders.js';
import { FirstCollections } from './index-versions/first-collections.js';
import { IndexVersionsRepository } from './index-versions/index-versions.repository.js';
import { IndexVersions } from './index-versions/index-versions.js';
import { IndexedTable } from './index-versions/indexed-table.js';
import { ComparisonsRepository } from './upkeep/comparisons.repository.js';
import { WordChanges } from './content/word-changes.js';
import { WordStatisticsRepository } from './words/word-statistics.repository.js';

export interface IndexVersionsOptions {
  readonly table: IndexedTable;
  /** What the names of the collections begin with. */
  readonly prefix: string;
  /** The embedder of owners that chose none, by name; empty for the embedded one. */
  readonly defaultEmbedder: (memory: MemoryConfiguration) => string;
}

const REPOSITORIES = [
  ComparisonsRepository,
  IndexMarksRepository,
  IndexVersionsRepository,
  ReembeddingsRepository,
  WordStatisticsRepository,
];

/**
 * Where the vectors of a service are, and by which embedders. Needs the modules of `serviceModules` and a
 * `VectorServiceEnv`; reports `qdrant` in the readiness of the process.
 */
@Module({})
export class IndexVersionsModule {
  static forRoot({ table, prefix, defaultEmbedder }: IndexVersionsOptions): DynamicModule {
    return {
      module: IndexVersionsModule,
      providers: [
        { provide: IndexedTable, useValue: table },
        {
          provide: VectorCollections,
          inject: [VectorServiceEnv, HealthChecks],
          useFactory: (env: VectorServiceEnv, health: HealthChecks) => {
            const collections = new VectorCollections({ ...serverOf(env), prefix });
            health.register('qdrant', () => collections.isReachable());
            return collections;
          },
        },
        {
          provide: Embedders,
          inject: [Registry, EmbeddedEmbedder],
          useFactory: (registry: Registry, embedded: EmbeddedEmbedder) =>
            new Embedders(registry, embedded, defaultEmbedder),
        },
        FirstCollections,
        IndexVersions,
        WordChanges,
        ...REPOSITORIES,
      ],
      exports: [
        IndexedTable,
        VectorCollections,
        Embedders,
        FirstCollections,
        IndexVersions,
        WordChanges,
        ...REPOSITORIES,
      ],
    };
  }
}

const serverOf = (env: VectorServiceEnv) => ({
  url: env.QDRANT_URL,
  apiKey: env.QDRANT_API_KEY,
  peers: env.QDRANT_PEERS,
  replicationFactor: env.QDRANT_REPLICATION_FACTOR,
  shardNumber: env.QDRANT_SHARDS,
  quantized: env.QDRANT_QUANTIZED,
});
