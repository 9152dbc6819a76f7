import { type Transaction } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { type HistoryEntry, type OutlinedEntry } from '../features/feature-history.js';
import { FeatureHistoryRepository, MAX_UNDONE_BYTES } from '../features/feature-history.repository.js';
import { byClient } from '../features/feature-origins.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import {
  type ChangeOrigin,
  type Citation,
  type FeatureRecord,
  type FeatureState,
} from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { inHalves } from '../features/in-halves.js';
import { type Group, groupsOf } from '../groups.js';
import { type Scope } from '../projects/project.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { changeNotFound } from './change-not-found.js';
import { consolidationBefore, madeAgain, takenInBy, withCompanions } from './companions.js';
import { heldAgain, successorOf } from './held-again.js';
import { refuseLaterChanges } from './later-changes.js';
import { byChange, byFeature, byUid, changeOf, featuresOf, leftBy } from './ordered-entries.js';

/** Changes that are looked through at a time for what became one with something. */
const CHANGES_AT_ONCE = 100;

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
   * ended since then because of it holds again, and what became one with it comes back; what it said in between goes, and where
   * another feature says it by a merge, that merge is taken back, too.
   * @param wanted entries of one set
   * @param unlessChanged whether nothing is taken back where a later change of these features would go with it
   * @throws AppError `changed_since`; `body_too_large` when that is more than is undone at once; `change_not_found` when messages that one of the entries was drawn from are gone by now; `category_not_found` when the set has lost the category of a feature that comes back,
   * `producer_not_allowed` for a key that is bound to a producer when one of them is about another user
   */
  async takeBack(
    scope: Scope,
    { wanted: outlined, unlessChanged = false }: WantedReversal,
    tx: Transaction,
  ): Promise<void> {
    const oldest = outlined.toSorted(byUid)[0];
    if (!oldest) return;
    const { location } = oldest;
    const uids = outlined.map(({ uid }) => uid);
    const wanted = await this.history.entries(scope, location.setUid, uids, tx);
    await this.writer.keepCitedOpen(tx, location, citedBefore(wanted));
    const set = await this.sets.byUid(scope, location.setUid, tx);
    await this.categories.keep(set, categoriesBefore(wanted), tx);
    await this.features.lockSets([location.setUid], tx);
    // a deletion that was under way when they were read may have taken some of them
    if (!(await this.history.knowsAll(scope, location.setUid, uids, tx))) throw changeNotFound('set');
    if (unlessChanged) {
      const from = { uid: oldest.uid, featureUids: featuresOf(wanted) };
      refuseLaterChanges(wanted, await this.history.since(scope, location.setUid, from, tx));
    }
    const there = await this.there(scope, wanted, tx);
    const gone = featuresOf(wanted).filter((uid) => !there.has(uid));
    const merges = await this.mergesOf({ scope, set, tx }, gone, oldest.uid);
    const taken = await this.withTakenIn({ scope, set, tx }, wanted, merges);
    const others = await this.others({ scope, set, tx }, taken);
    const entries = [...new Map([...wanted, ...others].map((entry) => [entry.uid, entry])).values()];
    const now = await this.features.recordsOf(scope, featuresOf(entries), tx, MAX_UNDONE_BYTES);
    await this.putBack(
      { scope, set, tx },
      byFeature(entries),
      new Map(now.map((record) => [record.uid, record])),
    );
  }

  /** What is taken back beside what was asked for, with what it cites, which stays as long as the transaction runs. */
  private async others(
    { scope, set, tx }: InSet,
    outlined: readonly OutlinedEntry[],
  ): Promise<HistoryEntry[]> {
    if (outlined.length === 0) return [];
    const uids = outlined.map(({ uid }) => uid);
    const others = await this.history.entries(scope, set.uid, uids, tx);
    await this.writer.keepCitedOpen(tx, locationOf(set), citedBefore(others));
    return others;
  }

  /** @param now the features that are there, by uid */
  private async putBack(
    { scope, set, tx }: InSet,
    changed: readonly EntriesOfFeature[],
    now: ReadonlyMap<string, FeatureRecord>,
  ): Promise<void> {
    const firsts = changed.map(([first]) => first);
    for (const name of categoriesBefore(firsts)) await this.categories.refuseUnavailable(set, name, tx);
    const ended = await this.endedSince(scope, firsts, tx);
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
      return before ? [restoring({ uid: featureUid, ...location, ...before, isPinned }, stored)] : [];
    });
    // and what is there changes before what comes back: it may still say the very same
    const [there, back] = [writes.filter((write) => write.before), writes.filter((write) => !write.before)];
    const written = await this.writer.writeAll(tx, {
      gone: [...gone, ...ended.gone],
      writes: [...there, ...back, ...ended.writes],
      origin,
      maxBytes: MAX_UNDONE_BYTES,
    });
    // nothing of it is taken back, rather than a part
    if (written.includes(undefined)) throw changeNotFound('set');
  }

  /** Of the features of the entries the uids of those that are there. */
  private async there(
    scope: Scope,
    entries: readonly OutlinedEntry[],
    tx: Transaction,
  ): Promise<ReadonlySet<string>> {
    return new Set((await this.features.factsOf(scope, featuresOf(entries), tx)).map(({ uid }) => uid));
  }

  /**
   * The merges by which features became one with others, as long as one of these is there, or became one with others in turn:
   * what such a feature was before must not stand beside what it has become.
   * @param gone uids of features that are not there
   * @param since uid of the first entry that counts
   */
  private async mergesOf(
    { scope, set, tx }: InSet,
    gone: readonly string[],
    since: string,
  ): Promise<OutlinedEntry[]> {
    if (gone.length === 0) return [];
    const entries = await this.history.since(scope, set.uid, { uid: since, featureUids: gone }, tx);
    const removals = gone.flatMap((uid) => entries.find(({ featureUid }) => featureUid === uid) ?? []);
    const merges: OutlinedEntry[] = [];
    for (const removed of byChange(removals.filter(({ after }) => !after))) {
      const ofChange = await this.history.ofChanges(scope, set.uid, [changeOf(removed[0])], tx);
      const isOne = removed.some(({ origin }) => origin.kind === 'consolidation');
      const again = isOne ? [] : await this.mergedAgain({ scope, set, tx }, removed, { ofChange, entries });
      const merge = isOne ? ofChange : again.length > 0 ? again : withCompanions(removed, ofChange);
      // not what the change made and took away again: of that it would be asked for ever
      const left = new Set(leftBy(ofChange));
      const others = merge.map(({ featureUid }) => featureUid).filter((uid) => left.has(uid));
      const areThere = (await this.features.factsOf(scope, others, tx)).length > 0;
      const later = areThere ? [] : await this.mergesOf({ scope, set, tx }, others, since);
      if (areThere || later.length > 0) merges.push(...merge, ...later);
    }
    return merges;
  }

  /**
   * Of a change that made an undone consolidation again what belongs to that; none of any other.
   * @param entries what happened to the features since, newest first
   */
  private async mergedAgain(
    { scope, set, tx }: InSet,
    removed: readonly OutlinedEntry[],
    {
      ofChange,
      entries,
    }: { readonly ofChange: readonly OutlinedEntry[]; readonly entries: readonly OutlinedEntry[] },
  ): Promise<OutlinedEntry[]> {
    const consolidation = consolidationBefore(removed, entries);
    if (consolidation === undefined) return [];
    return madeAgain(ofChange, await this.history.ofChanges(scope, set.uid, [consolidation], tx));
  }

  /** @returns `others`, and behind them what became one later with a feature that is put back: it would be gone with what it had become */
  private async withTakenIn(
    inSet: InSet,
    wanted: readonly OutlinedEntry[],
    others: readonly OutlinedEntry[],
  ): Promise<OutlinedEntry[]> {
    const all = [...others];
    let more: OutlinedEntry[];
    do {
      more = await this.takenInSince(inSet, [...wanted, ...all]);
      all.push(...more);
    } while (more.length > 0);
    return all;
  }

  /** What became one with the features of the entries since the first of these, and is not among them. */
  private async takenInSince(
    { scope, set, tx }: InSet,
    entries: readonly OutlinedEntry[],
  ): Promise<OutlinedEntry[]> {
    const firsts = new Map(byFeature(entries).map(([first]) => [first.featureUid, first.uid]));
    const known = new Set(entries.map(({ uid }) => uid));
    const [first = ''] = [...firsts.values()].sort();
    const from = { uid: first, featureUids: [...firsts.keys()] };
    const since = await this.history.since(scope, set.uid, from, tx);
    const later = since.filter(
      ({ uid, featureUid, after, origin }) =>
        after && origin.kind !== 'undo' && !known.has(uid) && uid > (firsts.get(featureUid) ?? ''),
    );
    const found: OutlinedEntry[] = [];
    for (const some of inParts(byChange(later), CHANGES_AT_ONCE)) {
      await inHalves(some, async (fewer) => {
        const uids = fewer.map(([first]) => changeOf(first));
        const all = groupsOf(await this.history.ofChanges(scope, set.uid, uids, tx), changeOf);
        const ofChanges = new Map(all.map((ofChange) => [changeOf(ofChange[0]), ofChange]));
        const taken = fewer.flatMap((one) => takenInBy(one, ofChanges.get(changeOf(one[0])) ?? []));
        found.push(...taken.filter(({ uid }) => !known.has(uid)));
      });
    }
    if (found.length === 0) return [];
    const there = await this.there(scope, found, tx);
    return found.filter(({ featureUid }) => !there.has(featureUid) && !firsts.has(featureUid));
  }

  /** What ended because of what is taken back, without being a part of it. */
  private async endedSince(
    scope: Scope,
    firsts: readonly HistoryEntry[],
    tx: Transaction,
  ): Promise<EndedFeatures> {
    const undone = new Map(firsts.map((first) => [first.featureUid, first]));
    const oldest = firsts.at(-1);
    if (!oldest) return { gone: [], writes: [] };
    const { uid, location } = oldest;
    const facts = await this.features.endedBy(location, [...undone.keys()], tx, MAX_UNDONE_BYTES);
    if (facts.length === 0) return { gone: [], writes: [] };
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
}

/** What no client wrote is put back with messages that support it alone: those of a closed project do not any more. */
const restoring = (record: FeatureRecord, before: FeatureRecord | undefined): FeatureWrite => ({
  record,
  before,
  isLearned: !record.byClient && record.citations.length > 0,
});

const categoriesBefore = (entries: readonly HistoryEntry[]): string[] => [
  ...new Set(entries.flatMap(({ before }) => before?.category ?? [])),
];

const citedBefore = (entries: readonly HistoryEntry[]): Citation[] =>
  entries.flatMap(({ before }) => before?.citations ?? []);

/** What is taken back. */
export interface WantedReversal {
  /** Of one set. */
  readonly wanted: readonly OutlinedEntry[];
  readonly unlessChanged?: boolean | undefined;
}

/** What goes, and what holds again. */
interface EndedFeatures {
  readonly gone: readonly FeatureRecord[];
  readonly writes: readonly FeatureWrite[];
}

/** Where changes are taken back. */
interface InSet {
  readonly scope: Scope;
  readonly set: MemorySet;
  readonly tx: Transaction;
}

/** What happened to one feature, in sequence. */
type EntriesOfFeature = Group<HistoryEntry>;

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
