import { Module } from '@nestjs/common';
import { BacklogRepository } from './backlog.repository.js';

/** The messages that wait to be learned from. */
@Module({
  providers: [BacklogRepository],
  exports: [BacklogRepository],
})
export class BacklogModule {}
