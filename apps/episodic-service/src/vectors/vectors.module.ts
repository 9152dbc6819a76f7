import { HealthChecks } from '@loci/platform';
import { Module } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { VectorCollections } from './vector-collections.js';

@Module({
  providers: [
    {
      provide: VectorCollections,
      inject: [EpisodicServiceEnv, HealthChecks],
      useFactory: (env: EpisodicServiceEnv, health: HealthChecks) => {
        const collections = new VectorCollections({
          url: env.QDRANT_URL,
          apiKey: env.QDRANT_API_KEY,
          replicationFactor: env.QDRANT_REPLICATION_FACTOR,
          shardNumber: env.QDRANT_SHARDS,
          quantized: env.QDRANT_QUANTIZED,
        });
        health.register('qdrant', () => collections.isReachable());
        return collections;
      },
    },
  ],
  exports: [VectorCollections],
})
export class VectorsModule {}
