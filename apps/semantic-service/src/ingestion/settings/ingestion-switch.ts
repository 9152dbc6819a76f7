import { unavailable } from '@loci/contracts';
import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';

/** Whether anything is to be learned at all: `semantic_memory.enabled`. Also the injection token. */
export abstract class IngestionSwitch {
  abstract get isOn(): boolean;

  /** @throws AppError `semantic_memory_disabled` */
  assertOn(): void {
    if (this.isOn) return;
    throw unavailable('semantic_memory_disabled', SWITCHED_OFF);
  }
}

export const SWITCHED_OFF =
  'Semantic memory is switched off (semantic_memory.enabled); messages wait until it is on again.';

/** That of the memory configuration: a change counts within two seconds. */
@Injectable()
export class RegistrySwitch extends IngestionSwitch {
  constructor(private readonly registry: Registry) {
    super();
  }

  /** As long as the configuration is not known, no model is known either, so that none can be called. */
  override get isOn(): boolean {
    try {
      return this.registry.memory.semantic.enabled;
    } catch {
      return true;
    }
  }
}
