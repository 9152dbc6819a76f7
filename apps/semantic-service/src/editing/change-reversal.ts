import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { type HistoryEntry } from '../features/feature-history.js';
import { FeatureHistoryRepository } from '../features/feature-history.repository.js';
import { byClient } from '../features/feature-origins.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import {
  type ChangeOrigin,
  type FeatureLocation,
  type FeatureRecord,
  type FeatureState,
} from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type Scope } from '../projects/project.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { heldAgain, successorOf } from './held-again.js';

/** Puts features back to what they were. */
@Injectable()
export class ChangeReversal {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly history: FeatureHistoryRepository,
    private readonly writer: FeatureWriter,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
  ) {}

  /**
   * Makes each feature what it was before the first of its entries, as one change. Its pin stays, unless these moved it. What
   * ended since then because of it holds again; what it said in between goes.
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
    const ended = await this.endedSince(scope, location, firsts, tx);
    const again = ended.writes.map(({ record }) => record);
    const facts = [...firsts.map(({ before }) => before), ...now.values(), ...ended.gone, ...again];
    for (const fact of facts) if (fact) requireOwnFact(fact, set);
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
    await this.writer.writeAll(tx, {
      gone: [...gone, ...ended.gone],
      writes: [...writes, ...ended.writes],
      origin,
    });
  }

  /** What ended because of what is taken back, without being a part of it. */
  private async endedSince(
    scope: Scope,
    location: FeatureLocation,
    firsts: readonly HistoryEntry[],
    tx: Transaction,
  ): Promise<EndedFeatures> {
    const undone = new Map(firsts.map((first) => [first.featureUid, first]));
    const facts = await this.features.endedBy(location, [...undone.keys()], tx);
    const uid = firsts.at(-1)?.uid;
    if (uid === undefined || facts.length === 0) return { gone: [], writes: [] };
    const successors = new Set(facts.flatMap((fact) => successorOf(fact) ?? []));
    const featureUids = [...facts.map((fact) => fact.uid), ...successors];
    const since = await this.history.since(scope, location.setUid, { uid, featureUids }, tx);
    const gone: FeatureRecord[] = [];
    const writes: FeatureWrite[] = [];
    for (const before of facts) {
      const first = undone.get(successorOf(before) ?? '');
      const record = first && heldAgain(before, first, since);
      if (record === 'gone') gone.push(before);
      else if (record) writes.push({ record, before });
    }
    return { gone, writes };
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

/** What goes, and what holds again. */
interface EndedFeatures {
  readonly gone: readonly FeatureRecord[];
  readonly writes: readonly FeatureWrite[];
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
