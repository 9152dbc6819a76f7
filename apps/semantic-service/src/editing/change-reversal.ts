import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { type HistoryEntry } from '../features/feature-history.js';
import { byClient } from '../features/feature-origins.js';
import { FeatureWriter } from '../features/feature-writer.js';
import { type ChangeOrigin } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type Scope } from '../projects/project.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';

/** Puts features back to what they were. */
@Injectable()
export class ChangeReversal {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
  ) {}

  /**
   * Makes each feature what it was before the first of its entries, as one change.
   * @param entries of one set
   * @throws AppError `category_not_found` when the set has lost the category of a feature that comes back,
   * `producer_not_allowed` for a key that is bound to a producer when one of them is about another user
   */
  async takeBack(scope: Scope, entries: readonly HistoryEntry[], tx: Transaction): Promise<void> {
    const firsts = firstOfEach(entries);
    const [some] = firsts;
    if (!some) return;
    const { location } = some;
    const cited = firsts.flatMap(({ before }) => before?.citations ?? []);
    await this.writer.keepCitedOpen(tx, location, cited);
    await this.features.lockSets([location.setUid], tx);
    const set = await this.sets.byUid(scope, location.setUid, tx);
    await this.refuseLostCategories(set, firsts, tx);
    const uids = firsts.map(({ featureUid }) => featureUid);
    const now = new Map((await this.features.recordsOf(scope, uids, tx)).map((one) => [one.uid, one]));
    for (const { before, featureUid } of firsts) {
      for (const fact of [before, now.get(featureUid)]) if (fact) requireOwnFact(fact, set);
    }
    const origin: ChangeOrigin = { ...byClient(), kind: 'undo', changeUid: uuidv7() };
    // what goes, goes first: what comes back may say the very same
    const gone = firsts.flatMap(({ before, featureUid }) => (before ? [] : (now.get(featureUid) ?? [])));
    const writes = firsts.flatMap(({ before, featureUid, location }) =>
      before ? [{ record: { uid: featureUid, ...location, ...before }, before: now.get(featureUid) }] : [],
    );
    await this.writer.writeAll(tx, { gone, writes, origin });
  }

  private async refuseLostCategories(
    set: MemorySet,
    entries: readonly HistoryEntry[],
    tx: Transaction,
  ): Promise<void> {
    const wanted = new Set(entries.flatMap(({ before }) => before?.category ?? []));
    for (const category of wanted) await this.categories.refuseUnavailable(set, category, tx);
  }
}

/** The first change of each feature, newest feature first. Uids of entries are sorted by time. */
function firstOfEach(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const firsts = new Map<string, HistoryEntry>();
  for (const entry of entries) {
    const known = firsts.get(entry.featureUid);
    if (!known || entry.uid < known.uid) firsts.set(entry.featureUid, entry);
  }
  return [...firsts.values()].sort((a, b) => (a.uid < b.uid ? 1 : -1));
}
