import { type RerankerSource } from '@loci/models';
import { Registry, rerankerNamed } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { MemorySettings } from '../memory/memory-settings.js';
import { type ChosenModels } from '../projects/project.js';

/** Which reranker sorts the hits of a project. */
@Injectable()
export class Rerankers {
  constructor(
    private readonly registry: Registry,
    private readonly memory: MemorySettings,
  ) {}

  /** @returns undefined when hits keep their sequence; otherwise what gets the reranker */
  of(chosen: ChosenModels): RerankerSource | undefined {
    return rerankerNamed(this.registry, chosen.reranker || this.memory.reranker);
  }
}
