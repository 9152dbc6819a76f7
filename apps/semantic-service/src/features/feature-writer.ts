import { indexFeatures, instantFromDate } from '@loci/contracts';
import { Outbox, type Transaction } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Owner } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { raiseOfSets } from '../notifications/raise-of-sets.js';
import { changedFeatures } from './changed-features.js';
import { type ChangeWork, doStep } from './change-steps.js';
import { FeatureBatch } from './feature-batch.js';
import { type AppliedChanges, type ChangeRequest } from './feature-change.js';
import { type NewHistoryEntry } from './feature-history.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import {
  asOneChange,
  type ChangeOrigin,
  type Citation,
  type FeatureLocation,
  type FeatureRecord,
  type SoughtFeature,
} from './feature.js';
import { bySet, citedBy } from './feature-states.js';
import { MAX_READ_BYTES } from './bounded-records.js';
import { FeaturesRepository } from './features.repository.js';
import { inHalves } from './in-halves.js';
import { TRUSTED } from './partition.js';
import { TouchedFeatures } from './touched-features.js';
import { startOf } from './validity.js';
import { usableCitations } from './usable-citations.js';
import { wantedBy } from './wanted-records.js';

/** Features named by one work message. */
const FEATURES_PER_MESSAGE = 64;

/** What one step may read, which has no parts, in bytes. */
const MAX_STEP_BYTES = 4 * MAX_READ_BYTES;

/** A feature wherever it is. */
type FeatureKey = FeatureLocation & Pick<FeatureRecord, 'uid'>;

/** A feature as it is to be. */
export interface FeatureWrite {
  readonly record: FeatureRecord;
  /** As it is, read under the lock of its set; absent when it is new. */
  readonly before?: FeatureRecord | undefined;
  /** Not written when the messages that it was learned from are gone by now. */
  readonly isLearned?: boolean;
}

/** What is written at once. */
export interface FeatureWrites {
  readonly gone?: readonly FeatureRecord[];
  readonly writes: readonly FeatureWrite[];
  readonly origin: ChangeOrigin;
  /** Of what is read because it says the same, unless that is one feature. Default: any. */
  readonly maxBytes?: number | undefined;
}

/**
 * The only code that changes features. Citations, history and the work message for the vectors are written with the
 * change, in the transaction of the caller, who wakes the outbox when that is committed. However many features change,
 * the statements are as many. Changes of one set queue. What cites nothing but episodes that are gone by now is not
 * added, unless a client adds it. What a client wrote or corrected, no model changes or removes; features of another
 * partition than that of the request no step changes. All features of one call belong to one project, or to its
 * organization.
 */
@Injectable()
export class FeatureWriter {
  constructor(
    readonly features: FeaturesRepository,
    private readonly history: FeatureHistoryRepository,
    private readonly projects: ProjectsRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Does the steps one after the other. A feature that says the very same as one that is there adds its citations to that one.
   * @throws AppError `body_too_large` when a single step would change more than there is memory for
   */
  async apply(tx: Transaction, { partition = TRUSTED, ...request }: ChangeRequest): Promise<AppliedChanges> {
    const { location, changes } = request;
    const cited = changes.flatMap((change) => ('citations' in change ? (change.citations ?? []) : []));
    // projects before sets: every transaction locks in this sequence
    const usable = await usableCitations(cited, location, this, tx);
    await this.features.lockSets([location.setUid], tx);
    const origin = asOneChange(request.origin);
    const now = instantFromDate(new Date());
    const touched = new TouchedFeatures();
    await inHalves(changes, async (some) => {
      const maxBytes = some.length > 1 ? MAX_READ_BYTES : MAX_STEP_BYTES;
      const batch = await this.done(
        tx,
        { ...request, changes: some, origin, partition, usable, now },
        maxBytes,
      );
      await this.store(tx, location, batch);
      touched.noteAll(batch.touched);
    });
    return touched.applied;
  }

  /** What `apply` would do now, without doing it: nothing is written or locked, and whatever is cited counts as there. */
  async plan(
    tx: Transaction,
    { partition = TRUSTED, ...request }: ChangeRequest,
  ): Promise<readonly NewHistoryEntry[]> {
    const origin = asOneChange(request.origin);
    const work = { ...request, origin, partition, usable: () => true, now: instantFromDate(new Date()) };
    return (await this.done(tx, work, MAX_STEP_BYTES)).history;
  }

  /** The steps one after the other, in memory. */
  private async done(
    tx: Transaction,
    { changes, ...work }: Omit<ChangeWork, 'batch'> & Pick<ChangeRequest, 'changes'>,
    maxBytes: number,
  ): Promise<FeatureBatch> {
    const wanted = wantedBy({ ...work, changes });
    const known = await this.features.recordsToChange(work.location, wanted, tx, maxBytes);
    const batch = new FeatureBatch(known);
    for (const change of changes) doStep(change, { ...work, batch });
    return batch;
  }

  /** As `writeAll`, one feature. @returns the uid under which it is now */
  async write(
    tx: Transaction,
    record: FeatureRecord,
    before: FeatureRecord | undefined,
    origin: ChangeOrigin,
  ): Promise<string> {
    const [uid = record.uid] = await this.writeAll(tx, { writes: [{ record, before }], origin });
    return uid;
  }

  /**
   * Takes features away, then writes others as they are to be, new or not: each is a change of its own, unless the origin
   * names the change that they belong to. A caller that has locked the sets already has
   * locked the projects of what they newly cite before that.
   * @returns the uids under which these are now; undefined for what was not written
   * @throws AppError `body_too_large` when what says the same is too large to be read, before anything is written
   */
  async writeAll(
    tx: Transaction,
    { gone = [], writes, origin, maxBytes }: FeatureWrites,
  ): Promise<(string | undefined)[]> {
    // what a feature cites already stays as long as its set is locked
    const added = writes.flatMap(({ record, before }) => {
      const isKept = citedBy(before);
      return record.citations.filter((citation) => !isKept(citation));
    });
    const records = writes.map(({ record }) => record);
    const all = [...gone, ...records];
    const owner = ownerOf(all);
    if (!owner) return [];
    const usable = await usableCitations(added, owner, this, tx);
    await this.features.lockSets(
      all.map(({ setUid }) => setUid),
      tx,
    );
    const stored = [...gone, ...writes.flatMap(({ before }) => before ?? [])];
    const duplicates =
      records.length > 0
        ? await this.features.recordsToChange(owner, { contents: records.map(sought) }, tx, maxBytes)
        : [];
    const batch = new FeatureBatch([...duplicates, ...stored]);
    for (const record of gone) batch.take(record, asOneChange(origin));
    const supported = writes.map(({ record, before, isLearned = false }) => {
      const isKept = citedBy(before);
      const citations = record.citations.filter((citation) => isKept(citation) || usable(citation));
      return isLearned && citations.length === 0 ? undefined : { record: { ...record, citations }, before };
    });
    batch.lift(supported.flatMap((write) => write?.before ?? []));
    const uids = supported.map(
      (write) => write && batch.put(write.record, write.before, asOneChange(origin)),
    );
    await this.store(tx, owner, batch);
    return uids;
  }

  /**
   * Keeps the projects of citations by features of an owner open until the transaction ends: before sets are locked, as everywhere.
   * @returns those that are open
   */
  keepCitedOpen(tx: Transaction, owner: Owner, citations: readonly Citation[]): Promise<Set<string>> {
    return this.projects.keepOpen(owner, [...new Set(citations.map(({ projectUid }) => projectUid))], tx);
  }

  /**
   * Writes features, of which less is known by now, as they are to be: nothing tells what they were before.
   * @param writes of sets that are locked
   */
  async restate(tx: Transaction, writes: readonly FeatureWrite[]): Promise<void> {
    const records = writes.map(({ record }) => record);
    const owner = ownerOf(records);
    if (!owner) return;
    const duplicates = await this.features.recordsToChange(owner, { contents: records.map(sought) }, tx);
    const stored = writes.flatMap(({ before }) => before ?? []);
    const batch = new FeatureBatch([...duplicates, ...stored]);
    batch.lift(stored);
    for (const { record, before } of writes) batch.put(record, before, { kind: 'undo', episodes: [] });
    await this.storeFeatures(tx, owner, batch);
  }

  /** Takes features away, with all that is known of them: that cannot be taken back. */
  async erase(tx: Transaction, records: readonly FeatureKey[]): Promise<void> {
    const owner = ownerOf(records);
    if (!owner) return;
    await this.features.lockSets(
      records.map(({ setUid }) => setUid),
      tx,
    );
    const uids = records.map(({ uid }) => uid);
    await this.features.remove(owner, records, tx);
    await this.history.forget(owner, uids, tx);
    await this.enqueueIndexing(records, tx);
    const changes = changedFeatures(records, { added: [], updated: [], removed: uids });
    await raiseOfSets('features.changed', owner, changes, tx);
  }

  private async store(tx: Transaction, owner: Owner, batch: FeatureBatch): Promise<void> {
    await this.storeFeatures(tx, owner, batch);
    await this.history.add(owner, batch.history, tx);
  }

  private async storeFeatures(tx: Transaction, owner: Owner, batch: FeatureBatch): Promise<void> {
    const { saved, removed, displaced, touched } = batch;
    // what goes, goes first, and with it what would stand in the way of what others say now
    await this.features.remove(owner, [...removed, ...displaced], tx);
    await this.features.save(owner, saved, tx);
    const changed = [...saved, ...removed];
    await this.enqueueIndexing(changed, tx);
    await raiseOfSets('features.changed', owner, changedFeatures(changed, touched.applied), tx);
  }

  private async enqueueIndexing(
    records: readonly Pick<FeatureKey, 'uid' | 'setUid'>[],
    tx: Transaction,
  ): Promise<void> {
    const messages = bySet(records).flatMap(([setUid, group]) => {
      const uids = group.map(({ uid }) => uid);
      return inParts(uids, FEATURES_PER_MESSAGE).map((some) => ({ setUid, uids: some }));
    });
    await this.outbox.appendAll(tx, indexFeatures, messages);
  }
}

const sought = (record: FeatureRecord): SoughtFeature => ({ ...record, since: startOf(record) });

/** The project that some of the features belong to, or else their organization; undefined when there are none. */
const ownerOf = (records: readonly Owner[]): Owner | undefined =>
  records.find(({ projectUid }) => projectUid !== undefined) ?? records[0];
