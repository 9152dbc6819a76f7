import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { bySet } from '../features/feature-states.js';
import { asOneChange } from '../features/feature.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { fullScope, type Owner } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { type DeletedEpisodes, type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { type BareFeature, type DatedFeature, ErasureRepository } from './erasure.repository.js';
import { withoutDates } from './forgotten-dates.js';
import { withoutMessages } from './forgotten-removals.js';

/** Takes away what was learned from episodes that are gone. Safe to repeat. */
@Injectable()
export class EpisodeForgetter {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly erasure: ErasureRepository,
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly backlog: BacklogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** Deleted episodes: features lose these citations; one left without any goes, unless a client had a hand in it. */
  async forgetDeleted(deleted: DeletedEpisodes): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.projects.lock(deleted.projectUid, tx);
      await this.erasure.noteDeleted(deleted, tx);
      await this.backlog.forgetEpisodes(deleted, tx);
      await this.forget(deleted, { keepsByClient: true }, tx);
    });
    this.outbox.wake();
  }

  /** Episodes of a project that is erased: in sets of the organization, features that cite nothing else go. */
  async forgetErased(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.forget({ projectUid, uids }, { keepsByClient: false }, tx);
    });
    this.outbox.wake();
  }

  /**
   * Under the locks of all sets that it changes: a holder of the lock of a set knows what its features cite.
   * @param keepsByClient whether a feature stays that cites nothing any more, but in which a client had a hand
   */
  private async forget(
    episodes: GoneEpisodes,
    { keepsByClient }: { readonly keepsByClient: boolean },
    tx: Transaction,
  ): Promise<void> {
    const sets = await this.erasure.setsCiting(episodes, tx);
    const said = await this.erasure.saidRemovals(episodes, tx);
    // projects before sets: what comes back cites them
    for (const { location, before } of said) {
      await this.writer.keepCitedOpen(tx, location, before?.citations ?? []);
    }
    await this.features.lockSets([...sets, ...said.map(({ location }) => location.setUid)], tx);
    // one may have been taken back meanwhile
    const removals = said.length > 0 ? await this.erasure.saidRemovals(episodes, tx) : [];
    const { kept, restored } = withoutMessages(removals, episodes);
    const bare = await this.erasure.uncite(episodes, kept, tx);
    await this.removeFeatures(keepsByClient ? bare.filter(({ byClient }) => !byClient) : bare, tx);
    await this.restore(restored, tx);
    await this.undate(episodes, tx);
  }

  /** Each set by itself, since it belongs to a project or to an organization. */
  private async restore(writes: readonly FeatureWrite[], tx: Transaction): Promise<void> {
    const origin = asOneChange({ kind: 'undo', episodes: [] });
    for (const [setUid] of bySet(writes.map(({ record }) => record))) {
      const inSet = writes.filter(({ record }) => record.setUid === setUid);
      await this.writer.writeAll(tx, { writes: inSet, origin });
    }
  }

  private async removeFeatures(bare: readonly BareFeature[], tx: Transaction): Promise<void> {
    const owner = ownerOf(bare);
    if (!owner) return;
    const uids = bare.map(({ uid }) => uid);
    await this.writer.erase(tx, await this.features.factsOf(fullScope(owner), uids, tx));
  }

  /** Takes away what episodes said of when features hold. */
  private async undate(episodes: GoneEpisodes, tx: Transaction): Promise<void> {
    const dated = await this.erasure.datedBy(episodes, tx);
    const owner = ownerOf(dated);
    if (!owner) return;
    const uids = dated.map(({ uid }) => uid);
    const records = await this.features.recordsOf(fullScope(owner), uids, tx);
    const successors = records.flatMap(({ dates = [] }) =>
      dates.flatMap(({ supersededBy }) => supersededBy ?? []),
    );
    const replacing = await this.features.recordsOf(fullScope(owner), successors, tx);
    await this.writer.restate(tx, withoutDates(records, episodes, replacing));
  }
}

/** The project whose episodes they rest on, or its organization. */
const ownerOf = (features: readonly DatedFeature[]): Owner | undefined =>
  features.find(({ owner: { projectUid } }) => projectUid !== undefined)?.owner ?? features[0]?.owner;
