import { once } from 'node:events';
import { resourceNotFound, type ResourceKind } from '@loci/contracts';
import { ModelFactory, type ModelPeers } from '@loci/models';
import { Injectable } from '@nestjs/common';
import { type ResourceDefinition } from './resource.js';
import { type ProbeResult, ResourceProber } from './resource-prober.js';

@Injectable()
export class ModelResourceProber extends ResourceProber {
  constructor(private readonly factory: ModelFactory) {
    super();
  }

  override async probe(
    resource: ResourceDefinition,
    all: readonly ResourceDefinition[],
    signal: AbortSignal,
  ): Promise<ProbeResult> {
    signal.throwIfAborted();
    const parts = new BuiltParts(this.factory, all);
    const probe = this.factory.probe(resource, parts).finally(() => parts.close());
    const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
    // whichever loses the race ends unheard
    aborted.catch(() => undefined);
    probe.catch(() => undefined);
    return Promise.race([probe, aborted]);
  }
}

/** Builds what a resource is made of, for as long as its probe runs. */
class BuiltParts implements ModelPeers {
  private readonly built: { close(): Promise<void> }[] = [];

  constructor(
    private readonly factory: ModelFactory,
    private readonly all: readonly ResourceDefinition[],
  ) {}

  async embedder(name: string): ReturnType<ModelPeers['embedder']> {
    const embedder = await this.factory.embedder(this.definition('embedder', name));
    this.built.push(embedder);
    return embedder;
  }

  async reranker(name: string): ReturnType<ModelPeers['reranker']> {
    const reranker = await this.factory.reranker(this.definition('reranker', name), this);
    this.built.push(reranker);
    return reranker;
  }

  async close(): Promise<void> {
    for (const model of this.built) await model.close();
  }

  private definition(kind: ResourceKind, name: string): ResourceDefinition {
    const found = this.all.find((one) => one.kind === kind && one.name === name);
    if (!found) throw resourceNotFound(kind, name);
    return found;
  }
}
