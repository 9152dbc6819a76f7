import { type ProjectReference } from '@loci/contracts';
import { IndexVersions } from '@loci/indexing';
import { ErasedProjects } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { EpisodeForgetter } from './episode-forgetter.js';
import { ErasureRepository } from './erasure.repository.js';

/** Cited episodes dealt with in one transaction. */
const STEP = 500;

/**
 * Erases everything that this service stores of a project, and of that project only: sets of its organization keep what
 * others had a part in. Safe to repeat and to interrupt.
 */
@Injectable()
export class ProjectEraser {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly erasure: ErasureRepository,
    private readonly forgetter: EpisodeForgetter,
    private readonly backlog: BacklogRepository,
    private readonly indexVersions: IndexVersions,
    private readonly erased: ErasedProjects,
  ) {}

  /**
   * Returns when nothing is left and the confirmation is on its way; also when another worker erases the project, or its
   * erasure was set aside. The control plane asks again for what was not confirmed.
   */
  async erase(reference: ProjectReference): Promise<void> {
    await this.projects.close(reference);
    await this.erased.erase(reference, async () => {
      await this.backlog.forgetProject(reference.projectUid);
      await this.eraseOwn(reference.projectUid);
      await this.eraseCited(reference.projectUid);
      await this.erasure.forgetDeleted(reference.projectUid);
    });
  }

  private async eraseOwn(projectUid: string): Promise<void> {
    const setUids = await this.erasure.setsOf(projectUid);
    await this.erasure.eraseFeatures(projectUid);
    for (const setUid of setUids) await this.indexVersions.erase(setUid);
    await this.erasure.eraseSets(projectUid);
  }

  /** First what features cite: a step reads them by an index. What only history knows is found by reading that. */
  private async eraseCited(projectUid: string): Promise<void> {
    for (;;) {
      const cited = await this.erasure.citedEpisodes(projectUid, STEP);
      if (cited.length === 0) break;
      await this.forgetter.forgetErased(projectUid, cited);
    }
    for await (const known of this.erasure.episodesOfHistory(projectUid)) {
      for (const some of inParts(known, STEP)) await this.forgetter.forgetErased(projectUid, some);
    }
  }
}
