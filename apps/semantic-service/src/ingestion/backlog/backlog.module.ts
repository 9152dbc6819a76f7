import { Module } from '@nestjs/common';
import { BacklogRepository } from './backlog.repository.js';
import { MessagesWithoutSet } from './messages-without-set.js';

/** The messages that wait to be learned from. */
@Module({
  providers: [BacklogRepository, MessagesWithoutSet],
  exports: [BacklogRepository, MessagesWithoutSet],
})
export class BacklogModule {}
