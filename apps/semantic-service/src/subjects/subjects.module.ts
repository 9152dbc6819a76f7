import { Module } from '@nestjs/common';
import { SetsModule } from '../sets/sets.module.js';
import { KnownSubjects } from './known-subjects.js';

@Module({
  imports: [SetsModule],
  providers: [KnownSubjects],
  exports: [KnownSubjects],
})
export class SubjectsModule {}
