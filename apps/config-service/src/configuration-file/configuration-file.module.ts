import { Module } from '@nestjs/common';
import { MemoryConfigurationModule } from '../memory-configuration/memory-configuration.module.js';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { ConfigurationFileService } from './configuration-file.service.js';
import { FileImport } from './file-import.js';
import { SeenEntriesRepository } from './seen-entries.repository.js';

@Module({
  imports: [RevisionsModule, ResourcesModule, MemoryConfigurationModule],
  providers: [ConfigurationFileService, FileImport, SeenEntriesRepository],
})
export class ConfigurationFileModule {}
