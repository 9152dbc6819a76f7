import { LocalEmbedder } from '@loci/models';
import { HealthChecks } from '@loci/platform';
import { QdrantVectorIndex, VectorIndex } from '@loci/vectors';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { FeatureEmbedder } from './feature-embedder.js';

/** The embedder and the vector index that belongs to it: vectors of different embedders do not mix. */
@Module({
  providers: [
    {
      provide: FeatureEmbedder,
      inject: [SemanticServiceEnv],
      useFactory: (env: SemanticServiceEnv) => LocalEmbedder.start({ threads: env.EMBEDDER_THREADS }),
    },
    {
      provide: VectorIndex,
      inject: [SemanticServiceEnv, FeatureEmbedder, HealthChecks],
      useFactory: (env: SemanticServiceEnv, embedder: FeatureEmbedder, health: HealthChecks) => {
        const vectors = new QdrantVectorIndex({
          url: env.QDRANT_URL,
          apiKey: env.QDRANT_API_KEY,
          prefix: 'features',
          fingerprint: embedder.fingerprint,
          dimensions: embedder.dimensions,
        });
        health.register('qdrant', () => vectors.isReachable());
        return vectors;
      },
    },
  ],
  exports: [FeatureEmbedder, VectorIndex],
})
export class VectorsModule implements OnApplicationShutdown {
  constructor(private readonly embedder: FeatureEmbedder) {}

  async onApplicationShutdown(): Promise<void> {
    await this.embedder.close();
  }
}
