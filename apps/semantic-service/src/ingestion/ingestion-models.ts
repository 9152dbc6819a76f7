import { unavailable } from '@loci/contracts';
import { type LanguageModel } from '@loci/models';
import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';

/** The language model of a set. Also the injection token. */
export abstract class IngestionModels {
  /**
   * The model, ready to use.
   * @param name the one that the set was configured with; undefined = that of the memory configuration
   * @throws AppError `resource_not_ready` saying why there is none, `registry_unavailable`
   */
  abstract get(name: string | undefined): Promise<LanguageModel>;
}

@Injectable()
export class RegistryModels extends IngestionModels {
  constructor(private readonly registry: Registry) {
    super();
  }

  override get(name: string | undefined): Promise<LanguageModel> {
    const chosen = name ?? this.registry.memory.semantic.llmModel;
    if (chosen !== undefined) return this.registry.languageModel(chosen);
    throw unavailable(
      'resource_not_ready',
      'No language model is configured for semantic memory: register one, and name it as llm_model of semantic memory.',
    );
  }
}
