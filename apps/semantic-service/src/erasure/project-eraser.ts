import { type ProjectReference, semanticProjectsErased, tenantName } from '@loci/contracts';
import { IndexSpaces } from '@loci/indexing';
import { Idempotency, Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { EpisodeForgetter } from './episode-forgetter.js';
import { ErasureParts } from './erasure-parts.js';
import { HoldingsRepository } from './holdings.repository.js';

/** Features, or cited episodes, dealt with in one transaction. */
const STEP = 500;

/** A closed project is remembered longer than any writer that was admitted before can still be under way. */
const ERASED_RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * Erases everything that this service holds of a project, and of that project only: sets of its organization keep what
 * others had a part in. Safe to repeat and to interrupt.
 */
@Injectable()
export class ProjectEraser {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly forgetter: EpisodeForgetter,
    private readonly parts: ErasureParts,
    private readonly spaces: IndexSpaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** Returns when nothing is left and the confirmation is on its way. */
  async erase(reference: ProjectReference): Promise<void> {
    await this.projects.close(reference);
    do {
      await this.parts.eraseProject(reference.projectUid);
      await this.eraseOwn(reference.projectUid);
      await this.eraseCited(reference.projectUid);
      await this.holdings.forgetDeleted(reference.projectUid);
    } while (!(await this.confirm(reference)));
    this.outbox.wake();
    await this.projects.forgetErased(ERASED_RETENTION_MS);
  }

  private async eraseOwn(projectUid: string): Promise<void> {
    const setUids = await this.holdings.setsOf(projectUid);
    while ((await this.holdings.eraseFeatures(projectUid, STEP)) > 0);
    for (const setUid of setUids) await this.spaces.erase(setUid);
    await this.holdings.eraseSets(projectUid);
  }

  private async eraseCited(projectUid: string): Promise<void> {
    for (;;) {
      const episodes = await this.holdings.citedEpisodes(projectUid, STEP);
      if (episodes.length === 0) return;
      await this.forgetter.forgetErased(projectUid, episodes);
    }
  }

  /** @returns false when another writer's step was not visible yet: there is more to erase */
  private confirm(reference: ProjectReference): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const state = await this.projects.markErased(reference.projectUid, tx);
      if (state === 'remaining') return false;
      // the name is not free before the confirmation, so these are the answers of the life that ends here
      if (state === 'erased') await this.idempotency.forget(tenantName(reference.tenant), tx);
      await this.outbox.append(tx, semanticProjectsErased, reference);
      return true;
    });
  }
}
