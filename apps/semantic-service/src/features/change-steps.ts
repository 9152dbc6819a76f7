import { v7 as uuidv7 } from 'uuid';
import { type FeatureBatch } from './feature-batch.js';
import { type ChangeRequest, type FeatureChange, type NamedChange } from './feature-change.js';
import { featureOrigin } from './feature-origins.js';
import { isHearsay, isSaidBy } from './message-user.js';
import { union } from './feature-states.js';
import { type Citation, type FeatureRecord } from './feature.js';
import { type Partition, samePartition } from './partition.js';
import { isProtected, isRefused } from './protected-features.js';

/** What the steps of a change have in common. */
export interface ChangeWork extends Omit<ChangeRequest, 'changes'> {
  readonly partition: Partition;
  readonly batch: FeatureBatch;
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
    case 'replace':
      replace(change, work);
  }
}

function add(
  { subject, tag, name, value, citations: given }: Named<'add' | 'update'>,
  work: ChangeWork,
): void {
  const citations = given.filter(work.usable);
  const byClient = work.origin.kind === 'client';
  if (citations.length === 0 && !byClient) return;
  work.batch.put(
    newRecord({ subject, tag, name, value }, { metadata: {}, byClient, citations }, work),
    undefined,
    work.origin,
  );
}

function update(change: Named<'update'>, work: ChangeWork): void {
  const { batch, origin } = work;
  const existing = changeable(change, batch);
  const [kept, ...others] = existing;
  if (!kept) {
    add(change, work);
    return;
  }
  const citations = change.citations.filter(work.usable);
  if (citations.length === 0 && origin.kind !== 'client') return;
  if (isRefused({ ...change, citations }, existing, work)) return;
  for (const other of others) batch.take(other, origin);
  const isSaid = kept.value === change.value;
  const after = {
    ...kept,
    value: change.value,
    subject: kept.subject ?? (kept.byClient ? undefined : change.subject),
    origin: isSaid ? kept.origin : featureOrigin(origin),
    byClient: kept.byClient || origin.kind === 'client',
    citations: union(kept.citations, citations),
  };
  batch.put(after, kept, origin);
}

function remove(change: Named<'delete'>, work: ChangeWork): void {
  const gone = changeable(change, work.batch);
  const citations = change.citations?.filter(work.usable);
  if (citations?.length === 0 && work.origin.kind !== 'client') return;
  if (isRefused({ ...change, citations }, gone, work)) return;
  for (const record of gone) work.batch.take(record, work.origin);
}

function replace({ uids, by }: Named<'replace'>, work: ChangeWork): void {
  const replaced = inCategory(uids, work);
  if (replaced.length === 0 || isProtected(replaced, work)) return;
  const citations = replaced.reduce<readonly Citation[]>((all, record) => union(all, record.citations), []);
  const byClient = replaced.some((record) => record.byClient);
  const metadata: Readonly<Record<string, string>> = Object.fromEntries(
    replaced.flatMap((record) => Object.entries(record.metadata)),
  );
  for (const record of replaced) work.batch.take(record, work.origin);
  for (const content of by) {
    work.batch.put(newRecord(content, { metadata, byClient, citations }, work), undefined, work.origin);
  }
}

/** What nothing says of whom it is, a change of what is known of a user reaches if the user or a client said it. */
const changeable = (change: NamedChange, batch: FeatureBatch): FeatureRecord[] => [
  ...batch.named(change).filter((record) => change.isHearsay !== true || isHearsay(record)),
  ...(change.subject === undefined
    ? []
    : batch.named({ ...change, subject: undefined }).filter((record) => isSaidBy(record, change.subject))),
];

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
  { location, partition, category, origin }: ChangeWork,
) => ({
  uid: uuidv7(),
  ...location,
  ...partition,
  category,
  ...content,
  ...rest,
  origin: featureOrigin(origin),
});
