import { Module } from '@nestjs/common';
import { KeyChanges } from './key-changes.js';
import { ProjectKeys } from './project-keys.js';

@Module({ providers: [KeyChanges, ProjectKeys], exports: [KeyChanges, ProjectKeys] })
export class KeyChangesModule {}
