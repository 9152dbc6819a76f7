import { AppError } from '@loci/contracts';
import { isRejected } from '@loci/models';
import { type Episode } from '../episodes/episode.js';

/** A model that can be reached made nothing of what it read: trying the same again may change nothing. */
export class RefusedEpisodes extends Error {
  constructor(
    readonly episodes: readonly Episode[],
    override readonly cause: AppError,
  ) {
    super('A model refused episodes.', { cause });
  }
}

/** Whether a failure of a model may be the fault of what it read, and of nothing that an outage, a quota or a pause explains. */
export const isAboutText = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'model_reply_unusable' || isRejected(error));
