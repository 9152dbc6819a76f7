import { MAX_FEATURES_PER_NOTIFICATION } from '@loci/contracts';
import { type InSet } from '../notifications/raise-of-sets.js';
import { bySet } from './feature-states.js';
import { type FeatureRecord } from './feature.js';
import { type AppliedChanges } from './feature-change.js';

/**
 * What clients are told of changed features, set by set.
 * @param records those that changed, as they are now or were last
 */
export function changedFeatures(
  records: readonly Pick<FeatureRecord, 'uid' | 'setUid'>[],
  { added, updated, removed }: AppliedChanges,
): InSet<'features.changed'>[] {
  return bySet(records).flatMap(([setUid, group]) => {
    const uids = new Set(group.map(({ uid }) => uid));
    const [ofAdded, ofUpdated, ofRemoved] = [added, updated, removed].map((all) =>
      all.filter((uid) => uids.has(uid)),
    ) as [string[], string[], string[]];
    const counts = { added: ofAdded.length, updated: ofUpdated.length, removed: ofRemoved.length };
    if (counts.added + counts.updated + counts.removed === 0) return [];
    const data = { added: first(ofAdded), updated: first(ofUpdated), removed: first(ofRemoved), counts };
    return [{ setUid, data }];
  });
}

const first = (uids: readonly string[]): string[] => uids.slice(0, MAX_FEATURES_PER_NOTIFICATION);
