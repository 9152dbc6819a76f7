import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { MemoryConfigurationController } from './memory-configuration.controller.js';
import { MemoryConfigurationRepository } from './memory-configuration.repository.js';
import { MemoryConfigurationService } from './memory-configuration.service.js';

@Module({
  imports: [RevisionsModule, ResourcesModule],
  controllers: [MemoryConfigurationController],
  providers: [MemoryConfigurationService, MemoryConfigurationRepository],
  exports: [MemoryConfigurationService],
})
export class MemoryConfigurationModule {}
