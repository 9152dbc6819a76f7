import { type ResourceKind } from '@loci/contracts';
import { type Metrics } from '@loci/platform';
import { type EgressPolicy } from './egress/egress-policy.js';
import { type Embedder } from './embedder.js';
import { type LanguageModel } from './language-model.js';
import { type Reranker } from './reranker.js';
import { type ModelPeers } from './resources/model-peers.js';
import { type ProbeResult } from './resources/probe-result.js';
import { type ResourceDefinition } from './resources/resource-definition.js';
import { type Environment } from './secrets/references.js';
import { type SecretBox } from './secrets/secret-box.js';

/** A model was called in vain so often that it is left alone for a while. */
export interface CircuitOpened {
  readonly kind: ResourceKind;
  readonly name: string;
  /** What the last call died of, without any secret. */
  readonly reason: string;
}

export interface ModelFactoryOptions {
  /** Where references are resolved. */
  readonly environment: Environment;
  readonly secretBox: SecretBox;
  readonly egress: EgressPolicy;
  readonly metrics: Metrics;
  /** The embedder of this process; asked for when a resource of provider `local` is built. The factory never closes it. */
  readonly localEmbedder: () => Promise<Embedder>;
  readonly onCircuitOpen?: (opened: CircuitOpened) => void;
}

/** Builds models from their definitions. */
export abstract class ModelFactoryDoors {
  abstract languageModel(definition: ResourceDefinition): Promise<LanguageModel>;
  abstract embedder(definition: ResourceDefinition): Promise<Embedder>;
  abstract reranker(definition: ResourceDefinition, peers: ModelPeers): Promise<Reranker>;
  abstract probe(definition: ResourceDefinition, peers: ModelPeers): Promise<ProbeResult>;
}
