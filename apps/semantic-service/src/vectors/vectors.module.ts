import { HealthChecks } from '@loci/platform';
import { EmbeddedEmbedder } from '@loci/registry';
import { QdrantVectorIndex, VectorIndex } from '@loci/vectors';
import { Module } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { FeatureEmbedder } from './feature-embedder.js';

/** The embedder and the vector index that belongs to it: vectors of different embedders do not mix. */
@Module({
  providers: [
    {
      provide: FeatureEmbedder,
      inject: [EmbeddedEmbedder],
      useFactory: (embedded: EmbeddedEmbedder) => embedded.get(),
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
export class VectorsModule {}
