import {
  getRegistry,
  getRegistryRevision,
  type RegistryRevision,
  type RegistrySnapshot,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { RegistryService } from './registry.service.js';

@Controller()
export class RegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Handle(getRegistry)
  get(): Promise<RegistrySnapshot> {
    return this.registry.snapshot();
  }

  @Handle(getRegistryRevision)
  async revision(): Promise<RegistryRevision> {
    return { revision: await this.registry.revision() };
  }
}
