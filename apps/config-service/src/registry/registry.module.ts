import { Module } from '@nestjs/common';
import { MemoryConfigurationModule } from '../memory-configuration/memory-configuration.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { RegistryController } from './registry.controller.js';
import { RegistryService } from './registry.service.js';
import { RevisionsModule } from '../revisions/revisions.module.js';

@Module({
  imports: [RevisionsModule, ResourcesModule, MemoryConfigurationModule],
  controllers: [RegistryController],
  providers: [RegistryService],
})
export class RegistryModule {}
