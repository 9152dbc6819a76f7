import { modelPaused, modelResumed } from '@loci/contracts';
import { NatsLink, RpcClient, Signals } from '@loci/messaging';
import { ModelFactory, ModelPauses } from '@loci/models';
import { Logger, Metrics } from '@loci/platform';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { EmbeddedEmbedder } from './embedded-embedder.js';
import { RemoteRegistry } from './registry-source.js';
import { Registry } from './registry.js';
import { secretBoxOf } from './secret-keys.js';

export interface RegistrySettings {
  /** As in `LOCI_SECRET_KEYS`. */
  readonly secretKeys: string;
  /** As in `MODEL_SECRET_PREFIX`. */
  readonly modelSecretPrefix: string;
  /** As in `EGRESS_ALLOW_PRIVATE`. */
  readonly allowPrivateEgress: boolean;
  /** As in `MODEL_CIRCUIT_PAUSE_MS`. */
  readonly circuitPauseMs: number;
  /** As in `MODEL_MAX_REPLY_BYTES`. */
  readonly maxReplyBytes: number;
  /** Threads of the embedded embedder. */
  readonly embedderThreads: number;
  /** Calls to one language model at a time; absent = as many as to any model. */
  readonly languageModelConcurrency?: number | undefined;
  /** How often a change is asked for whose hint may be lost; absent = as of the registry. */
  readonly checkIntervalMs?: number | undefined;
}

/**
 * The registry for every module of the process, and the embedded embedder that its models share. Needs the global
 * modules of NATS and of the platform.
 */
@Module({})
export class RegistryModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly registry: Registry) {}

  static forRoot(settings: RegistrySettings): DynamicModule {
    const { embedderThreads, checkIntervalMs, languageModelConcurrency } = settings;
    return {
      module: RegistryModule,
      global: true,
      providers: [
        { provide: EmbeddedEmbedder, useFactory: () => new EmbeddedEmbedder(embedderThreads) },
        { provide: ModelPauses, inject: [Signals], useFactory: sharedPauses },
        {
          provide: Registry,
          inject: [RpcClient, NatsLink, Logger, Metrics, EmbeddedEmbedder, ModelPauses],
          useFactory: (
            rpc: RpcClient,
            link: NatsLink,
            logger: Logger,
            metrics: Metrics,
            embedded: EmbeddedEmbedder,
            pauses: ModelPauses,
          ) =>
            new Registry({
              source: new RemoteRegistry(rpc, link),
              logger,
              checkIntervalMs,
              pauses,
              createFactory: (onCircuitOpen) =>
                new ModelFactory({
                  references: { environment: process.env, prefix: settings.modelSecretPrefix },
                  secretBox: secretBoxOf(settings.secretKeys),
                  egress: { allowPrivate: settings.allowPrivateEgress },
                  metrics,
                  pauses,
                  localEmbedder: (model) => embedded.get(model),
                  onCircuitOpen,
                  limits: { circuitPauseMs: settings.circuitPauseMs, maxReplyBytes: settings.maxReplyBytes },
                  languageModelConcurrency,
                }),
            }),
        },
      ],
      exports: [Registry, EmbeddedEmbedder],
    };
  }

  onModuleInit(): Promise<void> {
    return this.registry.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.registry.stop();
  }
}

/** The pauses of models, in all processes. */
function sharedPauses(signals: Signals): ModelPauses {
  const pauses = new ModelPauses((paused) => signals.tell(modelPaused, paused));
  signals.hear(modelPaused, (paused) => pauses.heard(paused));
  signals.hear(modelResumed, (resumed) => pauses.resume(resumed));
  return pauses;
}
