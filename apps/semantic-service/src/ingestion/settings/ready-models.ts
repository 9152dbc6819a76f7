import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';

/** Which language models may be asked. Also the injection token. */
export abstract class ReadyModels {
  /** The empty name stands for that of the memory configuration. None while nothing is known. */
  abstract get names(): readonly string[];

  /** Whether the registry was received. */
  abstract get areKnown(): boolean;
}

/** Those of the registry. */
@Injectable()
export class RegistryReadyModels extends ReadyModels {
  constructor(private readonly registry: Registry) {
    super();
  }

  override get areKnown(): boolean {
    return this.listed() !== undefined;
  }

  override get names(): readonly string[] {
    return this.listed() ?? [];
  }

  private listed(): readonly string[] | undefined {
    try {
      const { resources, memory } = this.registry;
      const names = resources
        .filter(({ kind, status }) => kind === 'language_model' && status === 'ready')
        .map(({ name }) => name);
      return memory.semantic.llmModel !== undefined && names.includes(memory.semantic.llmModel)
        ? ['', ...names]
        : names;
    } catch {
      return undefined;
    }
  }
}
