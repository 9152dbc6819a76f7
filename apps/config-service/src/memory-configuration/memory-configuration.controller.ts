import {
  getMemoryConfiguration,
  type MemoryConfiguration,
  updateMemoryConfiguration,
  type UpdateMemoryConfigurationRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { MemoryConfigurationService } from './memory-configuration.service.js';

@Controller()
export class MemoryConfigurationController {
  constructor(private readonly memory: MemoryConfigurationService) {}

  @Handle(getMemoryConfiguration)
  get(): Promise<MemoryConfiguration> {
    return this.memory.get();
  }

  @Handle(updateMemoryConfiguration)
  update(request: UpdateMemoryConfigurationRequest): Promise<MemoryConfiguration> {
    return this.memory.update(request);
  }
}
