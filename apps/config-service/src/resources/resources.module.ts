import { Module } from '@nestjs/common';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { ComposedResources } from './composed-resources.js';
import { ReadyResources } from './ready-resources.js';
import { ForbiddenReferences } from './forbidden-references.js';
import { ModelResourceConfigs } from './model-resource-configs.js';
import { ModelResourceProber } from './model-resource-prober.js';
import { ModelsModule } from './models.module.js';
import { ResourcesRepository } from './resources.repository.js';
import { ProbeClaims } from './probe-claims.js';
import { ResourceConfigs } from './resource-configs.js';
import { ResourceLookup } from './resource-lookup.js';
import { ResourceProber } from './resource-prober.js';
import { ResourceProbes } from './resource-probes.js';
import { AllResourceUsers } from './resource-users.js';
import { ResourcesController } from './resources.controller.js';
import { ResourcesService } from './resources.service.js';
import { SecretRotation } from './secret-rotation.js';

@Module({
  imports: [RevisionsModule, ModelsModule],
  controllers: [ResourcesController],
  providers: [
    ResourcesService,
    ProbeClaims,
    ResourceProbes,
    ResourceLookup,
    AllResourceUsers,
    ReadyResources,
    ComposedResources,
    SecretRotation,
    ForbiddenReferences,
    ResourcesRepository,
    { provide: ResourceConfigs, useClass: ModelResourceConfigs },
    { provide: ResourceProber, useClass: ModelResourceProber },
  ],
  exports: [ResourcesService, ResourceLookup, ResourceConfigs, AllResourceUsers, ReadyResources],
})
export class ResourcesModule {}
