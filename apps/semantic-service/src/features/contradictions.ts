import { type FeatureBatch } from './feature-batch.js';
import { type FeatureChange } from './feature-change.js';
import { isAsRead } from './read-features.js';
import { type ChangeOrigin, type FeatureRecord } from './feature.js';

/** The most that one feature names: of what contradicts everything, no list is read. */
const MAX_NAMED = 20;

/** Where it is noted. */
interface NotingWork {
  readonly batch: FeatureBatch;
  readonly origin: ChangeOrigin;
}

type Pair = Extract<FeatureChange, { kind: 'contradict' }>;

/**
 * Notes that two features cannot hold both: each names the other. Nothing of what they say is changed, so that also what a
 * client wrote may be named.
 * @param records those of the two that may be changed
 */
export function contradict(
  { read }: Pair,
  records: readonly FeatureRecord[],
  { batch, origin }: NotingWork,
): void {
  const [one, other, ...more] = records;
  if (!one || !other || more.length > 0 || ![one, other].every((record) => isAsRead(record, read))) return;
  const noted = [naming(one, other.uid), naming(other, one.uid)];
  if (noted.some(({ contradicts = [] }) => contradicts.length > MAX_NAMED)) return;
  batch.put(naming(one, other.uid), one, origin);
  batch.put(naming(other, one.uid), other, origin);
}

/** Of what some features named together, and of what named them, one feature that replaces them takes over. */
export function takeOver(
  replaced: readonly FeatureRecord[],
  successor: string,
  { batch, origin }: NotingWork,
): string[] | undefined {
  const gone = new Set(replaced.map(({ uid }) => uid));
  const named = [...new Set(replaced.flatMap(({ contradicts = [] }) => contradicts))].filter(
    (uid) => !gone.has(uid),
  );
  for (const record of batch.withUids(named)) {
    const { contradicts = [] } = record;
    const kept = contradicts.filter((uid) => !gone.has(uid));
    if (kept.length < contradicts.length)
      batch.put({ ...record, contradicts: [...kept, successor] }, record, origin);
  }
  return named.length > 0 ? named.slice(0, MAX_NAMED) : undefined;
}

const naming = (record: FeatureRecord, uid: string): FeatureRecord => ({
  ...record,
  contradicts: [...new Set([...(record.contradicts ?? []), uid])],
});
