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

interface Closable {
  close(): Promise<void>;
}

/** Builds what a resource is made of, each part once, for as long as its probe runs. */
class BuiltParts implements ModelPeers {
  private readonly built = new Map<string, Promise<Closable>>();

  constructor(
    private readonly factory: ModelFactory,
    private readonly all: readonly ResourceDefinition[],
  ) {}

  embedder(name: string): ReturnType<ModelPeers['embedder']> {
    return this.once('embedder', name, (definition) => this.factory.embedder(definition));
  }

  reranker(name: string): ReturnType<ModelPeers['reranker']> {
    return this.once('reranker', name, (definition) => this.factory.reranker(definition, this));
  }

  async close(): Promise<void> {
    for (const part of await Promise.allSettled(this.built.values())) {
      if (part.status === 'fulfilled') await part.value.close();
    }
  }

  private once<Model extends Closable>(
    kind: ResourceKind,
    name: string,
    build: (definition: ResourceDefinition) => Promise<Model>,
  ): Promise<Model> {
    const key = `${kind} ${name}`;
    const known = this.built.get(key) as Promise<Model> | undefined;
    if (known) return known;
    const started = Promise.resolve().then(() => build(this.definition(kind, name)));
    this.built.set(key, started);
    return started;
  }

  private definition(kind: ResourceKind, name: string): ResourceDefinition {
    const found = this.all.find((one) => one.kind === kind && one.name === name);
    if (!found) throw resourceNotFound(kind, name);
    return found;
  }
}
