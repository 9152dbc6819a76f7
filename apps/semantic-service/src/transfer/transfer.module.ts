import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { ImportedCitations } from './imported-citations.js';
import { FeatureImport } from './feature-import.js';
import { MemoryExport } from './memory-export.js';
import { MemoryImport } from './memory-import.js';
import { StructureImport } from './structure-import.js';
import { TransferController } from './transfer.controller.js';
import { TransferRepository } from './transfer.repository.js';

@Module({
  imports: [ProjectsModule, SetsModule, CategoriesModule, FeaturesModule],
  controllers: [TransferController],
  providers: [
    ImportedCitations,
    FeatureImport,
    MemoryExport,
    MemoryImport,
    StructureImport,
    TransferRepository,
  ],
})
export class TransferModule {}
