import { type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type DeletedEpisodes } from '../../erasure/deleted-episodes.js';
import { type ErasurePart, ErasureParts } from '../../erasure/erasure-parts.js';
import { BacklogRepository } from './backlog.repository.js';

/** Backlogs forget what is deleted. */
@Injectable()
export class BacklogErasure implements ErasurePart {
  constructor(
    private readonly backlog: BacklogRepository,
    private readonly unitOfWork: UnitOfWork,
    parts: ErasureParts,
  ) {
    parts.register(this);
  }

  async eraseProject(projectUid: string): Promise<void> {
    await this.unitOfWork.run((tx) => this.backlog.forgetProject(projectUid, tx));
  }

  forgetEpisodes(deleted: DeletedEpisodes, tx: Transaction): Promise<void> {
    return this.backlog.forgetEpisodes(deleted, tx);
  }
}
