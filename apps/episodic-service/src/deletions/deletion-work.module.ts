import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { DeletionWork } from './deletion-work.js';
import { DeletionsRepository } from './deletions.repository.js';

/** The worker's side of deletions by a filter. */
@Module({
  imports: [EpisodesModule],
  providers: [DeletionWork, DeletionsRepository],
  exports: [DeletionsRepository],
})
export class DeletionWorkModule {}
