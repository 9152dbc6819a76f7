import { type NewHistoryEntry } from './feature-history.js';
import { sameState, stateOf, union } from './feature-states.js';
import { type ChangeOrigin, type FeatureContent, type FeatureName, type FeatureRecord } from './feature.js';
import { TouchedFeatures } from './touched-features.js';

/**
 * Changes of features, made one after the other in memory: each sees what those before it left. What they come to is
 * written at once, in as many statements as one change takes. A feature that says the very same as another one becomes
 * one with it.
 */
export class FeatureBatch {
  readonly touched = new TouchedFeatures();
  /** What happened, in sequence. */
  readonly history: NewHistoryEntry[] = [];
  /** As they are stored. */
  private readonly stored: ReadonlyMap<string, FeatureRecord>;
  private readonly current = new Map<string, FeatureRecord>();
  private readonly uidByContent = new Map<string, string>();

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

  /**
   * Writes a feature as it is to be.
   * @param before as it was; undefined for a new one
   * @returns the uid under which it is now
   */
  put(record: FeatureRecord, before: FeatureRecord | undefined, origin: ChangeOrigin): string {
    const same = this.sayingTheSame(record);
    const duplicate = same?.uid === record.uid ? undefined : same;
    if (duplicate && !before) return this.merge(duplicate, record, origin);
    if (duplicate) this.take(duplicate, origin);
    const after = { ...record, citations: union(record.citations, same?.citations ?? []) };
    if (before && sameState(before, after)) return record.uid;
    this.keep(after);
    this.note(record, before, after, origin);
    this.touched.note(before ? 'updated' : 'added', record.uid);
    return record.uid;
  }

  /** Takes a feature away. */
  take(record: FeatureRecord, origin: ChangeOrigin): void {
    this.drop(record.uid);
    this.note(record, record, undefined, origin);
    this.touched.note('removed', record.uid);
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
      const heir = before && this.uidByContent.get(contentKey(before));
      return heir !== undefined && heir !== uid;
    });
  }

  private merge(duplicate: FeatureRecord, record: FeatureRecord, origin: ChangeOrigin): string {
    const after = {
      ...duplicate,
      metadata: { ...duplicate.metadata, ...record.metadata },
      byClient: duplicate.byClient || record.byClient,
      origin: record.byClient && !duplicate.byClient ? record.origin : duplicate.origin,
      citations: union(duplicate.citations, record.citations),
    };
    if (!sameState(duplicate, after)) {
      this.keep(after);
      this.note(duplicate, duplicate, after, origin);
      this.touched.note('updated', duplicate.uid);
    }
    return duplicate.uid;
  }

  /** The feature that says the very same by now: itself, or another one. */
  private sayingTheSame(record: FeatureRecord): FeatureRecord | undefined {
    const uid = this.uidByContent.get(contentKey(record));
    return uid === undefined ? undefined : this.current.get(uid);
  }

  private keep(record: FeatureRecord): void {
    const former = this.current.get(record.uid);
    if (former) this.forgetContent(former);
    this.current.set(record.uid, record);
    this.uidByContent.set(contentKey(record), record.uid);
  }

  private drop(uid: string): void {
    const former = this.current.get(uid);
    if (former) this.forgetContent(former);
    this.current.delete(uid);
  }

  private forgetContent(record: FeatureRecord): void {
    const key = contentKey(record);
    if (this.uidByContent.get(key) === record.uid) this.uidByContent.delete(key);
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

const contentKey = (record: FeatureContent & FeatureName): string =>
  JSON.stringify([
    ...[record.setUid, record.subject ?? null, record.category, record.tag, record.name, record.value],
    ...[record.isTrusted, record.sourceProjectUid],
  ]);
