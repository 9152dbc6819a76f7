import { saidAgain } from './expiry.js';
import { joinedMetadata, withinBounds } from './feature-bounds.js';
import { type NewHistoryEntry } from './feature-history.js';
import { contentKey, sameState, stateOf, union } from './feature-states.js';
import { type ChangeOrigin, type FeatureContent, type FeatureRecord } from './feature.js';
import { outranks } from './protected-features.js';
import { TouchedFeatures } from './touched-features.js';
import { allDates, overlap, validityOf } from './validity.js';

/**
 * Changes of features, made one after the other in memory: each sees what those before it left. What they come to is
 * written at once, in as many statements as one change takes. A feature that says the very same as another one, of the same
 * time, becomes one with it.
 */
export class FeatureBatch {
  readonly touched = new TouchedFeatures();
  /** What happened, in sequence. */
  readonly history: NewHistoryEntry[] = [];
  /** As they are stored. */
  private readonly stored: ReadonlyMap<string, FeatureRecord>;
  private readonly current = new Map<string, FeatureRecord>();
  private readonly uidsByContent = new Map<string, Set<string>>();
  /** Of features that became one with another, that one. */
  private readonly heirs = new Map<string, string>();

  /** @param known all stored features that the changes may touch, by the time of their making */
  constructor(known: readonly FeatureRecord[]) {
    this.stored = new Map(known.map((record) => [record.uid, record]));
    for (const record of this.stored.values()) this.keep(record);
  }

  /** Of this subject, tag and name, as the changes so far left them. */
  named({ subject, tag, name }: Pick<FeatureContent, 'subject' | 'tag' | 'name'>): FeatureRecord[] {
    return [...this.current.values()].filter(
      (record) => record.subject === subject && record.tag === tag && record.name === name,
    );
  }

  /** Of these uids, as the changes so far left them. */
  withUids(uids: readonly string[]): FeatureRecord[] {
    const wanted = new Set(uids);
    return [...this.current.values()].filter(({ uid }) => wanted.has(uid));
  }

  /** What these say counts no more: they are about to be written as they are to be, and it may be what others are to say. */
  lift(records: readonly FeatureRecord[]): void {
    for (const { uid } of records) this.drop(uid);
  }

  /**
   * Writes a feature as it is to be.
   * @param before as it was; undefined for a new one
   * @returns the uid under which it is now
   */
  put(record: FeatureRecord, before: FeatureRecord | undefined, origin: ChangeOrigin): string {
    // what became one with another and is written again is there by itself
    this.heirs.delete(record.uid);
    const same = this.sayingTheSame(record);
    const duplicate = same?.uid === record.uid ? undefined : same;
    if (duplicate && outranks(duplicate, record)) {
      if (before) this.take(before, origin, duplicate.uid);
      // what a client says of it counts, whichever of the two the client named
      return this.merge(duplicate, origin.kind === 'client' ? record : supporting(record), origin);
    }
    if (duplicate && !before) return this.merge(duplicate, record, origin);
    if (duplicate) this.take(duplicate, origin, record.uid);
    const after = this.bounded(
      {
        ...record,
        citations: union(record.citations, duplicate?.citations ?? []),
        dates: allDates(duplicate?.dates, record.dates),
        ...joinedMarks(record, duplicate),
      },
      origin,
    );
    this.keep(after);
    if (before && before.recordedAt === after.recordedAt && sameState(before, after)) return record.uid;
    this.note(record, before, after, origin);
    this.touched.note(before ? 'updated' : 'added', record.uid);
    return record.uid;
  }

  /**
   * Takes a feature away.
   * @param heir uid of the feature that it becomes: what contradicts it contradicts that one from now on
   */
  take(record: FeatureRecord, origin: ChangeOrigin, heir?: string): void {
    this.drop(record.uid);
    this.note(record, record, undefined, origin);
    this.touched.note('removed', record.uid);
    if (heir !== undefined) this.passOn(record, heir, origin);
  }

  /** Features to be stored as they are now. */
  get saved(): FeatureRecord[] {
    return this.touched.all.flatMap((uid) => this.current.get(uid) ?? []);
  }

  /** Stored features that are there no more. */
  get removed(): FeatureRecord[] {
    return this.touched.all.flatMap((uid) => (this.current.has(uid) ? [] : (this.stored.get(uid) ?? [])));
  }

  /** Those to be stored that say something else than before, while another one says now what they said. */
  get displaced(): FeatureRecord[] {
    return this.saved.filter(({ uid }) => {
      const before = this.stored.get(uid);
      return (
        before !== undefined && this.ofContent(before).some((one) => one.uid !== uid && sameEnd(one, before))
      );
    });
  }

  private merge(duplicate: FeatureRecord, record: FeatureRecord, origin: ChangeOrigin): string {
    const known = record.byClient ? saidAgain(duplicate, record.recordedAt) : duplicate;
    const merged = {
      ...known,
      metadata: joinedMetadata(duplicate.metadata, record.metadata),
      byClient: duplicate.byClient || record.byClient,
      isSingleValued: record.isSingleValued ?? duplicate.isSingleValued,
      origin: record.byClient && !duplicate.byClient ? record.origin : duplicate.origin,
      citations: union(duplicate.citations, record.citations),
      dates: allDates(known.dates, record.dates),
      ...joinedMarks(duplicate, record),
    };
    this.passOn(record, duplicate.uid, origin);
    const after = this.bounded(merged, origin);
    if (known !== duplicate || !sameState(duplicate, after)) {
      this.keep(after);
      this.note(duplicate, duplicate, after, origin);
      this.touched.note('updated', duplicate.uid);
    }
    return duplicate.uid;
  }

  private bounded(record: FeatureRecord, origin: ChangeOrigin): FeatureRecord {
    return withinBounds(this.withHeirs(this.joined(record, origin)));
  }

  private passOn({ uid, contradicts = [] }: FeatureRecord, heir: string, origin: ChangeOrigin): void {
    this.heirs.set(uid, heir);
    for (const other of contradicts.length > 0 ? this.withUids(contradicts) : [])
      if (other.uid !== heir) this.put(other, other, origin);
  }

  /** What it contradicts, under the uids that this has by now. */
  private withHeirs(record: FeatureRecord): FeatureRecord {
    const contradicts = record.contradicts
      ?.map((uid) => this.heirOf(uid))
      .filter((uid) => uid !== record.uid);
    return contradicts ? { ...record, contradicts: [...new Set(contradicts)] } : record;
  }

  private heirOf(uid: string): string {
    const heir = this.heirs.get(uid);
    return heir === undefined ? uid : this.heirOf(heir);
  }

  /** With what says the same up to the same moment: what two say of when they end may be the end of a third. */
  private joined(record: FeatureRecord, origin: ChangeOrigin): FeatureRecord {
    const other = this.ofContent(record).find((one) => one.uid !== record.uid && sameEnd(one, record));
    if (!other) return record;
    this.take(other, origin, record.uid);
    const citations = union(record.citations, other.citations);
    const dates = allDates(other.dates, record.dates);
    return this.joined({ ...record, citations, dates, ...joinedMarks(record, other) }, origin);
  }

  /** The feature that says the very same of the same time by now: another one, best one that outranks it, or itself. */
  sayingTheSame(record: FeatureRecord): FeatureRecord | undefined {
    const others = this.othersSayingTheSame(record);
    return others.find((one) => outranks(one, record)) ?? others[0] ?? this.alike(record)[0];
  }

  /** All others that say the very same of the same time by now: what is written under its uid takes them away. */
  othersSayingTheSame(record: FeatureRecord): FeatureRecord[] {
    return this.alike(record).filter(({ uid }) => uid !== record.uid);
  }

  private alike(record: FeatureRecord): FeatureRecord[] {
    return this.ofContent(record).filter((one) => sameEnd(one, record) || overlap(one, record));
  }

  private ofContent(record: FeatureRecord): FeatureRecord[] {
    const uids = this.uidsByContent.get(contentKey(record)) ?? [];
    return [...uids].flatMap((uid) => this.current.get(uid) ?? []);
  }

  private keep(record: FeatureRecord): void {
    const former = this.current.get(record.uid);
    if (former) this.forgetContent(former);
    this.current.set(record.uid, record);
    const key = contentKey(record);
    this.uidsByContent.set(key, (this.uidsByContent.get(key) ?? new Set()).add(record.uid));
  }

  private drop(uid: string): void {
    const former = this.current.get(uid);
    if (former) this.forgetContent(former);
    this.current.delete(uid);
  }

  private forgetContent(record: FeatureRecord): void {
    this.uidsByContent.get(contentKey(record))?.delete(record.uid);
  }

  private note(
    { uid, setUid, orgId, projectUid }: FeatureRecord,
    before: FeatureRecord | undefined,
    after: FeatureRecord | undefined,
    origin: ChangeOrigin,
  ): void {
    this.history.push({
      featureUid: uid,
      location: { setUid, orgId, projectUid },
      origin,
      before: before && stateOf(before),
      after: after && stateOf(after),
    });
  }
}

/** Of what becomes one, one pin is enough, and what contradicts one part of it contradicts it. */
const joinedMarks = (
  one: FeatureRecord,
  other: FeatureRecord | undefined,
): Pick<FeatureRecord, 'isPinned' | 'contradicts'> => ({
  isPinned: one.isPinned === true || other?.isPinned === true,
  contradicts:
    one.contradicts || other?.contradicts
      ? [...(one.contradicts ?? []), ...(other?.contradicts ?? [])]
      : undefined,
});

/** A feature as far as it supports another one, which stays what it is. */
const supporting = (record: FeatureRecord): FeatureRecord => ({
  ...record,
  metadata: {},
  dates: undefined,
  isSingleValued: undefined,
});

/** Whether they end at the same moment, or neither does: of one content only one such feature is stored. */
const sameEnd = (a: FeatureRecord, b: FeatureRecord): boolean =>
  validityOf(a.dates).validUntil?.at === validityOf(b.dates).validUntil?.at;
