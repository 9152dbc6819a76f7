import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type DeletedEpisodes } from './deleted-episodes.js';

/** A slice that keeps data of projects or episodes besides features. */
export interface ErasurePart {
  /** Erases all that it keeps of a closed project. Safe to repeat. */
  eraseProject(projectUid: string): Promise<void>;

  /** Forgets deleted episodes of a project, whose row is locked. Safe to repeat. */
  forgetEpisodes(deleted: DeletedEpisodes, tx: Transaction): Promise<void>;
}

/** Whoever has to be asked when a project or an episode goes; each registers itself. */
@Injectable()
export class ErasureParts {
  private readonly parts: ErasurePart[] = [];

  register(part: ErasurePart): void {
    this.parts.push(part);
  }

  async eraseProject(projectUid: string): Promise<void> {
    for (const part of this.parts) await part.eraseProject(projectUid);
  }

  async forgetEpisodes(deleted: DeletedEpisodes, tx: Transaction): Promise<void> {
    for (const part of this.parts) await part.forgetEpisodes(deleted, tx);
  }
}
