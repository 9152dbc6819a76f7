import { indexFeatures } from '@loci/contracts';
import { Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { fullScope } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { type AppliedChanges, type ChangeRequest, type FeatureChange } from './feature-change.js';
import { featureOrigin } from './feature-origins.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import {
  asOneChange,
  type ChangeOrigin,
  type Citation,
  type FeatureLocation,
  type FeatureRecord,
} from './feature.js';
import { bySet, citedBy, sameState, stateOf, union } from './feature-states.js';
import { FeaturesRepository } from './features.repository.js';
import { isProtected, isRefused } from './protected-features.js';
import { type Partition, samePartition, TRUSTED } from './partition.js';
import { usableCitations } from './usable-citations.js';
import { TouchedFeatures } from './touched-features.js';

/** Features named by one work message. */
const FEATURES_PER_MESSAGE = 64;

/**
 * The only code that changes features. Citations, history and the work message for the vectors are written with the
 * change, in the transaction of the caller, who wakes the outbox when that is committed. Changes of one set queue.
 * What cites nothing but episodes that are gone by now is not added, unless a client adds it. What a client wrote or
 * corrected, no model changes or removes; features of another partition than that of the request no step changes.
 */
@Injectable()
export class FeatureWriter {
  constructor(
    readonly features: FeaturesRepository,
    private readonly history: FeatureHistoryRepository,
    private readonly projects: ProjectsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Does the steps one after the other. A feature that says the very same as one that is there adds its citations to that one. */
  async apply(tx: Transaction, request: ChangeRequest): Promise<AppliedChanges> {
    const { location, category, partition = TRUSTED, changes, onRefused } = request;
    const origin = asOneChange(request.origin);
    const cited = changes.flatMap((change) => ('citations' in change ? (change.citations ?? []) : []));
    // projects before sets: every transaction locks in this sequence
    const usable = await usableCitations(cited, this, tx);
    await this.features.lockSet(location.setUid, tx);
    const touched = new TouchedFeatures();
    const work = { tx, location, category, partition, origin, usable, touched, onRefused };
    for (const change of changes) await this.step(change, work);
    await this.enqueueIndexing(location.setUid, touched.all, tx);
    return touched.applied;
  }

  /**
   * Writes one feature as it is to be, new or not. A caller that has locked its set already has locked the projects of what it
   * newly cites before that.
   * @param before as it is, read under the lock of its set
   * @returns the uid under which it is now
   */
  async write(
    tx: Transaction,
    record: FeatureRecord,
    before: FeatureRecord | undefined,
    origin: ChangeOrigin,
  ): Promise<string> {
    // what it cites already stays as long as its set is locked
    const kept = citedBy(before);
    const added = record.citations.filter((citation) => !kept(citation));
    const usable = await usableCitations(added, this, tx);
    await this.features.lockSet(record.setUid, tx);
    const touched = new TouchedFeatures();
    const citations = record.citations.filter((citation) => kept(citation) || usable(citation));
    const uid = await this.put({ ...record, citations }, before, {
      tx,
      origin: asOneChange(origin),
      touched,
    });
    await this.enqueueIndexing(record.setUid, touched.all, tx);
    return uid;
  }

  /**
   * Writes one imported feature.
   * @returns the uid under which it is now; undefined when the messages that it was learned from are gone by now
   */
  async writeImported(
    tx: Transaction,
    record: FeatureRecord,
    origin: ChangeOrigin,
  ): Promise<string | undefined> {
    const usable = await usableCitations(record.citations, this, tx);
    if (!record.byClient && !record.citations.some(usable)) return undefined;
    return this.write(tx, record, undefined, origin);
  }

  /**
   * Keeps the projects of citations open until the transaction ends: before sets are locked, as everywhere.
   * @returns those that are open
   */
  keepCitedOpen(tx: Transaction, citations: readonly Citation[]): Promise<Set<string>> {
    return this.projects.keepOpen([...new Set(citations.map(({ projectUid }) => projectUid))], tx);
  }

  /** Takes features away. @param keepHistory whether that can be taken back */
  async remove(
    tx: Transaction,
    records: readonly FeatureRecord[],
    options: { readonly origin: ChangeOrigin; readonly keepHistory: boolean },
  ): Promise<void> {
    const origin = asOneChange(options.origin);
    for (const [setUid, group] of bySet(records)) {
      await this.features.lockSet(setUid, tx);
      const touched = new TouchedFeatures();
      for (const record of group) await this.take(record, { tx, origin, touched });
      if (!options.keepHistory) await this.history.forget(touched.all, tx);
      await this.enqueueIndexing(setUid, touched.all, tx);
    }
  }

  private async step(change: FeatureChange, work: Work): Promise<void> {
    const { tx, location, category, partition, origin } = work;
    switch (change.kind) {
      case 'add':
        return this.add(change, work);
      case 'update': {
        const { tag, name, value } = change;
        const existing = await this.features.records(location.setUid, { category, tag, name, partition }, tx);
        const [kept, ...others] = existing;
        if (!kept) return this.add(change, work);
        const citations = change.citations.filter(work.usable);
        if (citations.length === 0 && origin.kind !== 'client') return;
        if (isRefused({ ...change, citations }, existing, work)) return;
        for (const other of others) await this.take(other, work);
        const worded = kept.value === value ? kept.origin : featureOrigin(origin);
        const byClient = kept.byClient || origin.kind === 'client';
        const cites = union(kept.citations, citations);
        await this.put({ ...kept, value, byClient, origin: worded, citations: cites }, kept, work);
        return;
      }
      case 'delete': {
        const { tag, name } = change;
        const gone = await this.features.records(location.setUid, { category, tag, name, partition }, tx);
        const citations = change.citations?.filter(work.usable);
        if (citations?.length === 0 && origin.kind !== 'client') return;
        if (isRefused({ ...change, citations }, gone, work)) return;
        for (const record of gone) await this.take(record, work);
        return;
      }
      case 'remove':
        for (const record of await this.inCategory(change.uids, work)) await this.take(record, work);
        return;
      case 'replace':
        return this.replace(change, work);
    }
  }

  private async add(
    { tag, name, value, ...rest }: Extract<FeatureChange, { kind: 'add' | 'update' }>,
    work: Work,
  ): Promise<void> {
    const citations = rest.citations.filter(work.usable);
    const byClient = work.origin.kind === 'client';
    if (citations.length === 0 && !byClient) return;
    const content = { category: work.category, tag, name, value, origin: featureOrigin(work.origin) };
    await this.put(
      { uid: uuidv7(), ...work.location, ...work.partition, ...content, metadata: {}, byClient, citations },
      undefined,
      work,
    );
  }

  private async replace(
    { uids, by }: Extract<FeatureChange, { kind: 'replace' }>,
    work: Work,
  ): Promise<void> {
    const replaced = await this.inCategory(uids, work);
    if (replaced.length === 0 || isProtected(replaced, work)) return;
    const citations = replaced.reduce<readonly Citation[]>((all, record) => union(all, record.citations), []);
    const byClient = replaced.some((record) => record.byClient);
    const metadata = Object.assign({}, ...replaced.map((record) => record.metadata)) as Record<
      string,
      string
    >;
    for (const record of replaced) await this.take(record, work);
    for (const { tag, name, value } of by) {
      const content = { category: work.category, tag, name, value, origin: featureOrigin(work.origin) };
      await this.put(
        { uid: uuidv7(), ...work.location, ...work.partition, ...content, metadata, byClient, citations },
        undefined,
        work,
      );
    }
  }

  private async inCategory(
    uids: readonly string[],
    { tx, location, category, partition }: Work,
  ): Promise<FeatureRecord[]> {
    const records = await this.features.recordsOf(fullScope(location), uids, tx);
    return records.filter(
      (record) =>
        record.setUid === location.setUid && record.category === category && samePartition(record, partition),
    );
  }

  /** Writes a feature; one that says the very same becomes one with it. */
  private async put(
    record: FeatureRecord,
    before: FeatureRecord | undefined,
    work: Pick<Work, 'tx' | 'origin' | 'touched'>,
  ): Promise<string> {
    const { tx, origin, touched } = work;
    const duplicate = await this.features.duplicateOf(record.setUid, record, tx);
    if (duplicate && duplicate.uid !== record.uid && !before) return this.merge(duplicate, record, work);
    if (duplicate && duplicate.uid !== record.uid) await this.take(duplicate, work);
    const citations = union(record.citations, duplicate?.citations ?? []);
    const after = { ...record, citations };
    if (before && sameState(before, after)) return record.uid;
    await this.features.save(after, tx);
    await this.note(record, { before, after, origin }, tx);
    touched.note(before ? 'updated' : 'added', record.uid);
    return record.uid;
  }

  private async merge(
    duplicate: FeatureRecord,
    record: FeatureRecord,
    { tx, origin, touched }: Pick<Work, 'tx' | 'origin' | 'touched'>,
  ): Promise<string> {
    const after = {
      ...duplicate,
      metadata: { ...duplicate.metadata, ...record.metadata },
      byClient: duplicate.byClient || record.byClient,
      origin: record.byClient && !duplicate.byClient ? record.origin : duplicate.origin,
      citations: union(duplicate.citations, record.citations),
    };
    if (!sameState(duplicate, after)) {
      await this.features.save(after, tx);
      await this.note(duplicate, { before: duplicate, after, origin }, tx);
      touched.note('updated', duplicate.uid);
    }
    return duplicate.uid;
  }

  private async take(
    record: FeatureRecord,
    { tx, origin, touched }: Pick<Work, 'tx' | 'origin' | 'touched'>,
  ): Promise<void> {
    await this.features.remove([record.uid], tx);
    await this.note(record, { before: record, after: undefined, origin }, tx);
    touched.note('removed', record.uid);
  }

  private note(
    { uid, setUid, orgId, projectUid }: FeatureRecord,
    change: { before: FeatureRecord | undefined; after: FeatureRecord | undefined; origin: ChangeOrigin },
    tx: Transaction,
  ): Promise<void> {
    const location = { setUid, orgId, projectUid };
    const [before, after] = [change.before, change.after].map((state) => state && stateOf(state));
    return this.history.add({ featureUid: uid, location, origin: change.origin, before, after }, tx);
  }

  private async enqueueIndexing(setUid: string, uids: readonly string[], tx: Transaction): Promise<void> {
    for (let start = 0; start < uids.length; start += FEATURES_PER_MESSAGE) {
      await this.outbox.append(tx, indexFeatures, {
        setUid,
        uids: uids.slice(start, start + FEATURES_PER_MESSAGE),
      });
    }
  }
}

interface Work {
  readonly tx: Transaction;
  readonly location: FeatureLocation;
  readonly category: string;
  readonly partition: Partition;
  readonly origin: ChangeOrigin;
  readonly usable: (citation: Citation) => boolean;
  readonly touched: TouchedFeatures;
  readonly onRefused: ChangeRequest['onRefused'];
}
