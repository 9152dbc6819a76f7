import { Registry } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { type Triggers } from '../backlog/backlog.js';

/** The triggers as they are now. Also the injection token. */
export abstract class TriggersSource {
  /** @throws AppError `registry_unavailable` as long as they were never received */
  abstract current(): Triggers;
}

/** Those of the memory configuration: a change counts from the next look on. */
@Injectable()
export class RegistryTriggers extends TriggersSource {
  constructor(private readonly registry: Registry) {
    super();
  }

  override current(): Triggers {
    const { ingestionTriggerMessages, ingestionTriggerAgeSeconds } = this.registry.memory.semantic;
    return { messages: ingestionTriggerMessages, ageSeconds: ingestionTriggerAgeSeconds };
  }
}
