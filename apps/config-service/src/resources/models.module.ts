import { ModelFactory, SecretBox } from '@loci/models';
import { Metrics } from '@loci/platform';
import { EmbeddedEmbedder, secretBoxOf } from '@loci/registry';
import { Module } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';

/** What probes are made with. */
@Module({
  providers: [
    { provide: EmbeddedEmbedder, useFactory: () => new EmbeddedEmbedder() },
    {
      provide: SecretBox,
      inject: [ConfigServiceEnv],
      useFactory: (env: ConfigServiceEnv) => secretBoxOf(env.LOCI_SECRET_KEYS),
    },
    {
      provide: ModelFactory,
      inject: [ConfigServiceEnv, SecretBox, Metrics, EmbeddedEmbedder],
      useFactory: (
        env: ConfigServiceEnv,
        secretBox: SecretBox,
        metrics: Metrics,
        embedded: EmbeddedEmbedder,
      ) =>
        new ModelFactory({
          references: { environment: process.env, prefix: env.MODEL_SECRET_PREFIX },
          secretBox,
          egress: { allowPrivate: env.EGRESS_ALLOW_PRIVATE },
          metrics,
          localEmbedder: (model) => embedded.get(model),
          limits: { maxReplyBytes: env.MODEL_MAX_REPLY_BYTES },
        }),
    },
  ],
  exports: [SecretBox, ModelFactory],
})
export class ModelsModule {}
