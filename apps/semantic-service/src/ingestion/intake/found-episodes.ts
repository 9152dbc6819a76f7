import { type EpisodesReference, type Instant } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Group, groupsOf } from '../../groups.js';
import { MessagesWithoutSet } from '../backlog/messages-without-set.js';
import { EpisodeIntake } from './episode-intake.js';

/** An episode that is to be taken in, and that no event brought. */
export interface FoundEpisode {
  readonly project: Pick<EpisodesReference, 'tenant' | 'projectUid'>;
  readonly uid: string;
  readonly addedAt: Instant;
  readonly receivedAt: Date;
}

export interface TakenEpisodes {
  readonly isNew: boolean;
  /** Whether some could not be taken, of which there may be more. */
  readonly haveSomeFailed: boolean;
}

/** Takes in what others look for in all projects together: what cannot be taken in of one keeps nothing of the others back. */
@Injectable()
export class FoundEpisodes {
  constructor(
    private readonly intake: EpisodeIntake,
    private readonly withoutSet: MessagesWithoutSet,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {}

  /**
   * Each of them is taken, or waits to be tried again behind all that wait already (`RefusedSetRetry`).
   * @throws what says that none can be noted either; the reason of the signal once it is aborted
   */
  async take(found: readonly FoundEpisode[], signal?: AbortSignal): Promise<TakenEpisodes> {
    try {
      return { isNew: await this.takeAll(found), haveSomeFailed: false };
    } catch (error) {
      this.logger.warn('episodes are taken in project by project', { episodes: found.length, error });
      const taken: (boolean | undefined)[] = [];
      for (const group of groupsOf(found, ({ project }) => project.projectUid)) {
        signal?.throwIfAborted();
        taken.push(await this.takeOrNote(group));
      }
      return { isNew: taken.includes(true), haveSomeFailed: taken.includes(undefined) };
    }
  }

  /** @returns undefined when they could not be taken */
  private async takeOrNote(group: Group<FoundEpisode>): Promise<boolean | undefined> {
    try {
      return await this.takeAll(group);
    } catch (error) {
      await this.unitOfWork.run((tx) => this.withoutSet.note(group.map(toNoted), tx, { hasFailed: true }));
      const [{ project }] = group;
      const fields = { project: project.projectUid, episodes: group.length, error };
      this.logger.error('episodes of a project cannot be taken in, and are tried again later', fields);
      return undefined;
    }
  }

  private takeAll(found: readonly FoundEpisode[]): Promise<boolean> {
    const added = found.map(({ project, uid, receivedAt }) => ({
      reference: { ...project, uids: [uid] },
      receivedAt,
      causes: [],
    }));
    return this.intake.take(added, { isAgain: true });
  }
}

const toNoted = ({ project: { projectUid, tenant }, uid, addedAt, receivedAt }: FoundEpisode) => ({
  project: { uid: projectUid, tenant },
  episode: { uid, addedAt },
  receivedAt,
});
