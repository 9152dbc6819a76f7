import { Module } from '@nestjs/common';
import { RegistryRevisions } from './registry-revisions.js';

@Module({ providers: [RegistryRevisions], exports: [RegistryRevisions] })
export class RevisionsModule {}
