import { Module } from '@nestjs/common';
import { RegisteredResources } from './registered-resources.js';

@Module({ providers: [RegisteredResources], exports: [RegisteredResources] })
export class ResourcesModule {}
