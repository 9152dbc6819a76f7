import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { FeatureLedger } from '../features/feature-ledger.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { fullScope } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { type DeletedEpisodes, type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { type BareFeature, HoldingsRepository } from './holdings.repository.js';

/** Leaves no trace: the history goes with the feature. */
const FORGETTING = { kind: 'client', episodes: [] } as const;

/** Takes away what was learned from episodes that are gone. Safe to repeat. */
@Injectable()
export class EpisodeForgetter {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly features: FeaturesRepository,
    private readonly ledger: FeatureLedger,
    private readonly backlog: BacklogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** Deleted episodes: features lose these citations; one left without any goes, unless a client had a hand in it. */
  async forgetDeleted(deleted: DeletedEpisodes): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.projects.lock(deleted.projectUid, tx);
      await this.holdings.noteDeleted(deleted, tx);
      await this.backlog.forgetEpisodes(deleted, tx);
      const bare = await this.uncite(deleted, tx);
      await this.removeFeatures(
        bare.filter(({ byClient }) => !byClient),
        tx,
      );
    });
    this.outbox.wake();
  }

  /** Episodes of a project that is erased: in sets of the organization, features that cite nothing else go. */
  async forgetErased(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.removeFeatures(await this.uncite({ projectUid, uids }, tx), tx);
    });
    this.outbox.wake();
  }

  /** Under the locks of all sets that it changes: whoever holds one knows what its features cite. */
  private async uncite(episodes: GoneEpisodes, tx: Transaction): Promise<BareFeature[]> {
    const sets = await this.holdings.setsCiting(episodes, tx);
    for (const setUid of sets.sort()) await this.features.lockSet(setUid, tx);
    return this.holdings.uncite(episodes, tx);
  }

  private async removeFeatures(bare: readonly BareFeature[], tx: Transaction): Promise<void> {
    for (const { uid, owner } of bare) {
      const records = await this.features.recordsOf(fullScope(owner), [uid], tx);
      await this.ledger.remove(tx, records, { origin: FORGETTING, keepHistory: false });
    }
  }
}
