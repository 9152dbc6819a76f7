import { type Instant } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { type FeatureBatch } from './feature-batch.js';
import { contradict } from './contradictions.js';
import { type ChangeRequest, type FeatureChange, type NamedChange } from './feature-change.js';
import { featureOrigin } from './feature-origins.js';
import { isHearsay, isSaidBy } from './message-user.js';
import { joinedMetadata } from './feature-bounds.js';
import { union } from './feature-states.js';
import { type Citation, type FeatureRecord } from './feature.js';
import { type Partition, samePartition } from './partition.js';
import { isAsRead } from './read-features.js';
import { isProtected, isRefused, outranks } from './protected-features.js';
import { ended, former, lastSaid, sinceThen } from './replaced-feature.js';
import { allDates, holdsEver, isEnded, isOfOneTime, startOf, statementsOf, validityOf } from './validity.js';

/** What the steps of a change have in common. */
export interface ChangeWork extends Omit<ChangeRequest, 'changes'> {
  readonly partition: Partition;
  readonly batch: FeatureBatch;
  readonly now: Instant;
  /** Tells of a citation whether it may be written. */
  readonly usable: (citation: Citation) => boolean;
}

type Named<Kind extends FeatureChange['kind']> = Extract<FeatureChange, { kind: Kind }>;

/** Does one step of a change. */
export function doStep(change: FeatureChange, work: ChangeWork): void {
  switch (change.kind) {
    case 'add':
      add(change, work);
      break;
    case 'update':
      update(change, work);
      break;
    case 'delete':
      remove(change, work);
      break;
    case 'remove':
      for (const record of inCategory(change.uids, work)) work.batch.take(record, work.origin);
      break;
    case 'contradict':
      contradict(change, inCategory(change.uids, work), work);
      break;
    case 'replace':
      replace(change, work);
  }
}

function add(change: Named<'add' | 'update'>, work: ChangeWork): void {
  const record = added(change, work);
  if (!record) return;
  const same = work.batch.sayingTheSame(record);
  if (same && isRefused({ ...change, kind: 'update' }, [same], work)) return;
  // of hearsay, neither its dates nor anything else change what the user said
  if (!same || !isProtected([same], work) || isHearsay(record)) {
    work.batch.put(record, undefined, work.origin);
    return;
  }
  const known = confirmed(same, record);
  if (joinsProtected(known, work)) work.onRefused?.({ ...change, kind: 'update' }, [same]);
  else work.batch.put(known, same, work.origin);
}

/** A feature with what another one that says the same tells of it. */
const confirmed = (known: FeatureRecord, said: FeatureRecord): FeatureRecord => ({
  ...known,
  isSingleValued: said.isSingleValued ?? known.isSingleValued,
  citations: union(known.citations, said.citations),
  dates: allDates(known.dates, said.dates),
});

/** The feature that a change adds; none when the messages that it cites are gone. */
function added(
  { subject, tag, name, value, isSingleValued, citations: given, ...validity }: Named<'add' | 'update'>,
  work: ChangeWork,
): FeatureRecord | undefined {
  const citations = given.filter(work.usable);
  const byClient = work.origin.kind === 'client';
  if (citations.length === 0 && !byClient) return undefined;
  const dates = allDates(statementsOf(validity, citations));
  const content = { subject, tag, name, value, isSingleValued };
  return newRecord(content, { metadata: {}, byClient, citations, dates }, work);
}

function update(change: Named<'update'>, work: ChangeWork): void {
  const { batch, origin } = work;
  const existing = changeable(change, work);
  const [kept, ...others] = existing;
  if (!kept) {
    add(change, work);
    return;
  }
  const citations = change.citations.filter(work.usable);
  if (citations.length === 0 && origin.kind !== 'client') return;
  if (isRefused({ ...change, citations }, existing, work)) return;
  const isSaid = kept.value === change.value;
  const dates = statementsOf(change, citations);
  const allOfIt = allDates(kept.dates, dates);
  if (isSaid && !holdsEver(allOfIt)) {
    // said of what ends before: that is another time of it
    add(change, work);
    return;
  }
  if (!isSaid && origin.kind !== 'client' && isOlder(change, citations, existing)) {
    addFormer(change, kept, work);
    return;
  }
  const after = {
    ...kept,
    value: change.value,
    subject: kept.subject ?? (kept.byClient ? undefined : change.subject),
    byClient: kept.byClient || origin.kind === 'client',
    isSingleValued: change.isSingleValued ?? kept.isSingleValued,
  };
  const said = isSaid
    ? { citations: union(kept.citations, citations), dates: allOfIt }
    : {
        ...{ citations, dates: allDates(dates), origin: featureOrigin(origin), recordedAt: work.now },
        contradicts: undefined,
      };
  const record = { ...after, ...said };
  if (isSaid ? kept.byClient && joinsProtected(record, work) : wouldBecomeProtected(record, work)) {
    work.onRefused?.({ ...change, citations }, existing);
    return;
  }
  const until = sinceThen(change.validFrom, citations, work.now);
  for (const other of others) {
    batch.put(ended(other, { until, citations, supersededBy: kept.uid }), other, origin);
  }
  const uid = batch.put(record, kept, origin);
  if (!isSaid) batch.put(former({ ...kept, uid }, { until, citations }), undefined, origin);
}

/** Whether a model would make of a feature one that a client wrote. */
function wouldBecomeProtected(record: FeatureRecord, work: ChangeWork): boolean {
  const same = work.batch.sayingTheSame(record);
  return same !== undefined && isProtected([same], work);
}

/** Whether a model would make one of two features that clients wrote: of each, the dates would be of both. */
const joinsProtected = (record: FeatureRecord, work: ChangeWork): boolean =>
  work.batch.othersSayingTheSame(record).some((one) => isProtected([one], work));

/** Whether a feature would only support one that is there. */
function isOutranked(record: FeatureRecord, { batch }: ChangeWork): boolean {
  const same = batch.sayingTheSame(record);
  return same !== undefined && outranks(same, record);
}

/** Adds what messages say that are older than what is known: it held until that. */
function addFormer(change: Named<'update'>, known: FeatureRecord, work: ChangeWork): void {
  const record = added(change, work);
  const start = startOf(known);
  if (!record || start === undefined) return;
  // that it ended is known from what says since when the other one holds
  const citations = firstSaying(known);
  const ending = { until: { at: start, precision: 'time' }, supersededBy: known.uid, citations } as const;
  work.batch.put(change.validUntil ? record : ended(record, ending), undefined, work.origin);
}

/** The message that says since when a feature holds; none where a client does. */
function firstSaying({ citations, dates = [] }: FeatureRecord): readonly Citation[] {
  const from = dates.findLast(({ bound, at }) => bound === 'from' && at === validityOf(dates).validFrom?.at);
  const [first] = from
    ? citations.filter(({ episodeUid }) => episodeUid === from.episodeUid)
    : citations.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return first ? [first] : [];
}

/** Whether messages speak of a time before that of all that they would replace. */
const isOlder = (
  { validFrom, validUntil }: Named<'update'>,
  citations: readonly Citation[],
  existing: readonly FeatureRecord[],
): boolean => {
  const last = validUntil?.at ?? (validFrom === undefined ? lastSaid(citations) : undefined);
  return last !== undefined && existing.every((record) => last < (startOf(record) ?? last));
};

function remove(change: Named<'delete'>, work: ChangeWork): void {
  const gone = changeable(change, work);
  const citations = change.citations?.filter(work.usable);
  if (citations?.length === 0 && work.origin.kind !== 'client') return;
  if (isRefused({ ...change, citations }, gone, work)) return;
  const said = sinceThen(undefined, citations ?? [], work.now);
  // what does not hold any more has ended when this is said
  const until = change.validUntil && (change.validUntil.at < said.at ? change.validUntil : said);
  const saidBy = work.origin.kind === 'client' ? undefined : citations;
  for (const record of gone) {
    if (until) work.batch.put(ended(record, { until, citations: citations ?? [] }), record, work.origin);
    else work.batch.take(record, { ...work.origin, saidBy });
  }
}

function replace({ uids, read = [], by }: Named<'replace'>, work: ChangeWork): void {
  const replaced = inCategory(uids, work);
  if (replaced.length === 0 || isProtected(replaced, work)) return;
  // what was taken back since it was read would come back in what was made of it
  if (replaced.length < new Set(uids).size || !replaced.every((record) => isAsRead(record, read))) return;
  // what others say of a user would become the word of this user
  if (replaced.some(isHearsay) && !replaced.every(isHearsay)) return;
  // one feature has one time: of another time, what it replaces would be in no answer any more
  if (!replaced.every((one, at) => replaced.slice(0, at).every((other) => isOfOneTime(one, other)))) return;
  const citations = replaced.reduce<readonly Citation[]>((all, record) => union(all, record.citations), []);
  const dates = replaced.reduce<FeatureRecord['dates']>(
    (all, record) => allDates(all, record.dates),
    undefined,
  );
  const byClient = replaced.some((record) => record.byClient);
  const metadata = replaced.reduce<FeatureRecord['metadata']>(
    (all, record) => joinedMetadata(all, record.metadata),
    {},
  );
  const isPinned = replaced.some((record) => record.isPinned);
  const [first] = replaced;
  const isAlike = replaced.every((one) => one.isSingleValued === first?.isSingleValued);
  const isSingleValued = isAlike ? first?.isSingleValued : undefined;
  const contradicts = replaced.flatMap((record) => record.contradicts ?? []);
  const made = by.map((content) => ({
    ...newRecord(content, { metadata, byClient, citations, dates, isPinned, isSingleValued }, work),
    ...(contradicts.length > 0 && { contradicts }),
  }));
  // what it says would only support what a client or the user said, with none of its dates
  if (made.some((record) => isOutranked(record, work))) return;
  for (const record of replaced) work.batch.take(record, work.origin, made[0]?.uid);
  for (const record of made) work.batch.put(record, undefined, work.origin);
}

/**
 * What nothing says of whom it is, a change of what is known of a user reaches if the user or a client said it, and the
 * change is not hearsay. What ended stays as it is.
 */
const changeable = (change: NamedChange, { batch, now }: ChangeWork): FeatureRecord[] =>
  [
    ...batch.named(change).filter((record) => change.isHearsay !== true || isHearsay(record)),
    ...(change.subject === undefined || change.isHearsay === true
      ? []
      : batch.named({ ...change, subject: undefined }).filter((record) => isSaidBy(record, change.subject))),
  ].filter((record) => !isEnded(record, now));

const inCategory = (uids: readonly string[], { batch, location, category, partition }: ChangeWork) =>
  batch
    .withUids(uids)
    .filter(
      (record) =>
        record.setUid === location.setUid && record.category === category && samePartition(record, partition),
    );

const newRecord = <Content extends object, Rest extends object>(
  content: Content,
  rest: Rest,
  { location, partition, category, origin, now }: ChangeWork,
) => ({
  uid: uuidv7(),
  ...location,
  ...partition,
  category,
  ...content,
  ...rest,
  origin: featureOrigin(origin),
  recordedAt: now,
});
