import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { QuotaLimitsModule } from '../quota-limits/quota-limits.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { NewSets } from './new-sets.js';
import { SetTypeQuota } from './set-type-quota.js';
import { SetTypesService } from './set-types.service.js';
import { SetsRepository } from './sets.repository.js';
import { SetsService } from './sets.service.js';

@Module({
  imports: [ProjectsModule, ResourcesModule, QuotaLimitsModule],
  providers: [SetsService, SetTypesService, SetTypeQuota, NewSets, SetsRepository],
  exports: [SetsService, SetTypesService, SetTypeQuota, NewSets, SetsRepository],
})
export class SetsModule {}
