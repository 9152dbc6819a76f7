import { Embedder, LocalEmbedder } from '@loci/models';
import { HealthChecks } from '@loci/platform';
import { QdrantVectorIndex, VectorIndex } from '@loci/vectors';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';

/** The embedder and the vector index that belongs to it: vectors of different embedders do not mix. */
@Module({
  providers: [
    {
      provide: Embedder,
      inject: [EpisodicServiceEnv],
      useFactory: (env: EpisodicServiceEnv) => LocalEmbedder.start({ threads: env.EMBEDDER_THREADS }),
    },
    {
      provide: VectorIndex,
      inject: [EpisodicServiceEnv, Embedder, HealthChecks],
      useFactory: (env: EpisodicServiceEnv, embedder: Embedder, health: HealthChecks) => {
        const vectors = new QdrantVectorIndex({
          url: env.QDRANT_URL,
          apiKey: env.QDRANT_API_KEY,
          prefix: 'episodes',
          fingerprint: embedder.fingerprint,
          dimensions: embedder.dimensions,
          replicationFactor: env.QDRANT_REPLICATION_FACTOR,
          shardNumber: env.QDRANT_SHARDS,
          quantized: env.QDRANT_QUANTIZED,
        });
        health.register('qdrant', () => vectors.isReachable());
        return vectors;
      },
    },
  ],
  exports: [Embedder, VectorIndex],
})
export class VectorsModule implements OnApplicationShutdown {
  constructor(private readonly embedder: Embedder) {}

  async onApplicationShutdown(): Promise<void> {
    await this.embedder.close();
  }
}
