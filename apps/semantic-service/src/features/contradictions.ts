import { MAX_FEATURE_CONTRADICTIONS } from '@loci/contracts';
import { type FeatureBatch } from './feature-batch.js';
import { type FeatureChange } from './feature-change.js';
import { isAsRead } from './read-features.js';
import { type ChangeOrigin, type FeatureRecord } from './feature.js';

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
  if (noted.some(({ contradicts = [] }) => contradicts.length > MAX_FEATURE_CONTRADICTIONS)) return;
  batch.put(naming(one, other.uid), one, origin);
  batch.put(naming(other, one.uid), other, origin);
}

const naming = (record: FeatureRecord, uid: string): FeatureRecord => ({
  ...record,
  contradicts: [...new Set([...(record.contradicts ?? []), uid])],
});
