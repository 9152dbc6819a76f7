import { type ReadFeature } from './feature-change.js';
import { type FeatureRecord } from './feature.js';
import { validityOf } from './validity.js';

/** Whether a feature is what it was when it was read; of one that was not among the read, yes. */
export function isAsRead(record: FeatureRecord, read: readonly ReadFeature[]): boolean {
  const before = read.find(({ uid }) => uid === record.uid);
  if (!before) return true;
  const { validFrom, validUntil } = validityOf(record.dates);
  return (
    record.tag === before.tag &&
    record.name === before.name &&
    record.value === before.value &&
    validFrom?.at === before.validFrom?.at &&
    validUntil?.at === before.validUntil?.at
  );
}
