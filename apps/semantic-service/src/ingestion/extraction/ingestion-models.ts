import { unavailable } from '@loci/contracts';
import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { type PricedModel } from '../usage/metered-model.js';
import { pricesIn } from '../usage/model-prices.js';

/** The language model of a set. Also the injection token. */
export abstract class IngestionModels {
  /**
   * The model, ready to use.
   * @param name the one that the set was configured with; undefined = that of the memory configuration
   * @throws AppError `resource_not_ready` saying why there is none, `registry_unavailable`
   */
  abstract get(name: string | undefined): Promise<PricedModel>;

  /** The name of that of the memory configuration; undefined when there is none, or nothing is known yet. */
  abstract get defaultName(): string | undefined;

  /** Names of those whose providers take no requests for now. */
  abstract get paused(): readonly string[];
}

@Injectable()
export class RegistryModels extends IngestionModels {
  constructor(private readonly registry: Registry) {
    super();
  }

  override get defaultName(): string | undefined {
    try {
      return this.registry.memory.semantic.llmModel;
    } catch {
      return undefined;
    }
  }

  override get paused(): readonly string[] {
    return this.registry.pausedLanguageModels;
  }

  override async get(name: string | undefined): Promise<PricedModel> {
    const chosen = name ?? this.registry.memory.semantic.llmModel;
    if (chosen !== undefined) {
      const model = await this.registry.languageModel(chosen);
      return { model, prices: pricesIn(this.registry.resource('language_model', chosen)?.config ?? {}) };
    }
    throw unavailable(
      'resource_not_ready',
      'No language model is configured for semantic memory: register one, and name it as llm_model of semantic memory.',
    );
  }
}
