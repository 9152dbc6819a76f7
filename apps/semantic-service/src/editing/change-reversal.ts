import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { type HistoryEntry } from '../features/feature-history.js';
import { byClient } from '../features/feature-origins.js';
import { FeatureWriter } from '../features/feature-writer.js';
import { type ChangeOrigin, type FeatureRecord, type FeatureState } from '../features/feature.js';
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
   * Makes each feature what it was before the first of its entries, as one change. Its pin stays, unless these moved it.
   * @param entries of one set
   * @throws AppError `category_not_found` when the set has lost the category of a feature that comes back,
   * `producer_not_allowed` for a key that is bound to a producer when one of them is about another user
   */
  async takeBack(scope: Scope, entries: readonly HistoryEntry[], tx: Transaction): Promise<void> {
    const changed = byFeature(entries);
    const firsts = changed.map(([first]) => first);
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
    const writes = changed.flatMap((ofFeature) => {
      const [{ before, featureUid, location }] = ofFeature;
      const stored = now.get(featureUid);
      const isPinned = isPinnedBefore(ofFeature, stored);
      return before
        ? [{ record: { uid: featureUid, ...location, ...before, isPinned }, before: stored }]
        : [];
    });
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

/** What happened to one feature, in sequence. */
type EntriesOfFeature = readonly [HistoryEntry, ...HistoryEntry[]];

/** The changes of each feature, that which changed first behind the others. Uids of entries are sorted by time. */
function byFeature(entries: readonly HistoryEntry[]): EntriesOfFeature[] {
  const features = new Map<string, EntriesOfFeature>();
  for (const entry of entries.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))) {
    const [first, ...others] = features.get(entry.featureUid) ?? [];
    features.set(entry.featureUid, first ? [first, ...others, entry] : [entry]);
  }
  return [...features.values()].reverse();
}

/**
 * Whether a feature is pinned when what happened to it is taken back: as it is now, or was when it went, unless a change brought
 * or took the pin and no client has decided on it since.
 */
function isPinnedBefore(entries: EntriesOfFeature, stored: FeatureRecord | undefined): boolean {
  const isMoved = entries.some(({ before, after }) => before && after && hasPin(before) !== hasPin(after));
  const [first] = entries;
  const last = entries.at(-1);
  return isMoved && stored?.isPinByClient !== true
    ? hasPin(first.before)
    : hasPin(stored ?? last?.after ?? last?.before);
}

const hasPin = (state: FeatureState | undefined): boolean => state?.isPinned ?? false;
