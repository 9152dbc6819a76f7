import { type Reranker } from '@loci/models';
import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { MemorySettings } from '../memory/memory-settings.js';
import { type ChosenModels } from '../projects/project.js';

/** Leaves everything in its order, so it need not be asked. */
const IDENTITY = 'identity';

/** Which reranker orders the hits of a project. */
@Injectable()
export class Rerankers {
  constructor(
    private readonly registry: Registry,
    private readonly memory: MemorySettings,
  ) {}

  /** @returns undefined when hits stay in their order; otherwise what gets the reranker, as `Registry.reranker` */
  of(chosen: ChosenModels): (() => Promise<Reranker>) | undefined {
    const name = chosen.reranker || this.memory.reranker;
    return name === '' || name === IDENTITY ? undefined : () => this.registry.reranker(name);
  }
}
