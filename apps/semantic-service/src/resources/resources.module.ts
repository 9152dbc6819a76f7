import { Module } from '@nestjs/common';
import { EmbeddedResources, RegisteredResources } from './registered-resources.js';

@Module({
  providers: [{ provide: RegisteredResources, useClass: EmbeddedResources }],
  exports: [RegisteredResources],
})
export class ResourcesModule {}
