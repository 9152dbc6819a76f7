import { type ResourceKind } from '@loci/contracts';
import { type Metrics } from '@loci/platform';
import { aiSdkFailure } from './ai-sdk/ai-sdk-failure.js';
import { bedrockFailure } from './bedrock/bedrock-failure.js';
import { type CallLimits, DEFAULT_LIMITS, probeLimits } from './calls/call-limits.js';
import { failureToAppError } from './calls/failure-to-app-error.js';
import { httpFailure } from './calls/http-status-error.js';
import { ModelPauses } from './calls/model-pauses.js';
import { ProviderCalls } from './calls/provider-calls.js';
import { ProviderFailure } from './calls/provider-failure.js';
import { EgressGuard } from './egress/egress-guard.js';
import { type EgressPolicy } from './egress/egress-policy.js';
import { type Embedder } from './embedder.js';
import { geminiFailure } from './gemini/gemini-failure.js';
import { type LanguageModel } from './language-model.js';
import { type LocalModelName } from './local/local-model.js';
import { openAiFailure } from './openai/openai-failure.js';
import { type Reranker } from './reranker.js';
import { buildEmbedder } from './factory/build-embedder.js';
import { buildLanguageModel } from './factory/build-language-model.js';
import { buildReranker } from './factory/build-reranker.js';
import { type BuildContext, type Protocol } from './factory/build-context.js';
import { type ModelPeers } from './resources/model-peers.js';
import { openConfig, secretsOf } from './secrets/open-config.js';
import { probeEmbedder, probeLanguageModel, probeReranker, runProbe } from './resources/probe.js';
import { type ProbeResult } from './resources/probe-result.js';
import { type ResourceDefinition } from './resource-definition.js';
import { type References } from './secrets/references.js';
import { type SecretBox } from './secrets/secret-box.js';

/** A model was called in vain so often that it is left alone for a while. */
export interface CircuitOpened {
  readonly kind: ResourceKind;
  readonly name: string;
  /** What the last call died of, without any secret. */
  readonly reason: string;
}

export interface ModelFactoryOptions {
  /** How references are resolved, when a model is built. */
  readonly references: References;
  readonly secretBox: SecretBox;
  readonly egress: EgressPolicy;
  readonly metrics: Metrics;
  /** The embedders of this process; asked for when a resource of provider `local` is built. The factory never closes them. */
  readonly localEmbedder: (model: LocalModelName) => Promise<Embedder>;
  /** Shared by all whose calls are to wait for the same providers; of this factory alone when absent. */
  readonly pauses?: ModelPauses | undefined;
  readonly onCircuitOpen?: (opened: CircuitOpened) => void;
  /** Instead of {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<CallLimits>;
  /** Calls to one language model at a time; absent = that of the limits. */
  readonly languageModelConcurrency?: number | undefined;
}

/**
 * Builds models from their definitions. All methods throw the kind's AppError (`language_model_unavailable`,
 * `embedder_unavailable`, `reranker_unavailable`) when a definition can't be used: an unknown provider, a wrong
 * value, a variable that is not set, a secret that can't be read. Who asks for a model closes it.
 */
export class ModelFactory {
  private readonly pauses: ModelPauses;

  constructor(private readonly options: ModelFactoryOptions) {
    this.pauses = options.pauses ?? new ModelPauses();
  }

  /** Makes no request. */
  languageModel(definition: ResourceDefinition): Promise<LanguageModel> {
    return this.build(definition, 'language_model', (context) => buildLanguageModel(definition, context));
  }

  /** Makes a request only if the configuration does not say how many dimensions the vectors have. */
  embedder(definition: ResourceDefinition): Promise<Embedder> {
    return this.build(definition, 'embedder', (context) =>
      buildEmbedder(definition, context, this.options.localEmbedder),
    );
  }

  /** Makes no request, but for those that its peers make. */
  reranker(definition: ResourceDefinition, peers: ModelPeers): Promise<Reranker> {
    return this.build(definition, 'reranker', (context) => buildReranker(definition, context, peers));
  }

  /** Makes a real minimal request, once; the circuit of models already built plays no part. */
  async probe(definition: ResourceDefinition, peers: ModelPeers): Promise<ProbeResult> {
    const factory = new ModelFactory({
      ...this.options,
      limits: { ...this.options.limits, ...probeLimits(this.options.limits) },
      pauses: undefined,
      onCircuitOpen: () => undefined,
    });
    return runProbe(
      async () => {
        switch (definition.kind) {
          case 'language_model':
            return probeLanguageModel(await factory.languageModel(definition));
          case 'embedder':
            return probeEmbedder(await factory.embedder(definition));
          case 'reranker':
            return probeReranker(await factory.reranker(definition, peers));
        }
      },
      secretsOf(definition, this.options),
    );
  }

  private async build<Model>(
    definition: ResourceDefinition,
    kind: ResourceKind,
    make: (context: BuildContext) => Promise<Model> | Model,
  ): Promise<Model> {
    try {
      if (definition.kind !== kind) throw new ProviderFailure('misconfigured', `is not a ${kind}`);
      return await make(this.contextFor(definition));
    } catch (error) {
      throw error instanceof ProviderFailure ? failureToAppError(error, definition) : error;
    }
  }

  private contextFor(definition: ResourceDefinition): BuildContext {
    const { kind, name } = definition;
    const { metrics, onCircuitOpen, egress, languageModelConcurrency } = this.options;
    const concurrency = kind === 'language_model' ? languageModelConcurrency : undefined;
    const limits = { ...DEFAULT_LIMITS[kind], ...this.options.limits, ...(concurrency && { concurrency }) };
    const { maxReplyBytes: maxBytes, attemptTimeoutMs: timeoutMs } = limits;
    return {
      settings: (schema) => openConfig(definition, schema, this.options),
      guard: () => new EgressGuard(egress, { maxBytes, timeoutMs }),
      calls: (protocol, { max_retry_interval_seconds: maxRetryIntervalSeconds }) =>
        new ProviderCalls({
          resource: { kind, name },
          limits,
          maxRetryIntervalSeconds,
          metrics,
          pause: this.pauses.of(definition, limits.firstPauseMs),
          onCircuitOpen: (reason) => onCircuitOpen?.({ kind, name, reason }),
          toFailure: FAILURES[protocol],
        }),
    };
  }
}

const FAILURES: Readonly<Record<Protocol, (error: unknown) => ProviderFailure>> = {
  openai: openAiFailure,
  bedrock: bedrockFailure,
  anthropic: aiSdkFailure,
  gemini: geminiFailure,
  http: httpFailure,
};
