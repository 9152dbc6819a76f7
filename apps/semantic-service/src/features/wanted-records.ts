import { type Instant } from '@loci/contracts';
import { type ChangeRequest } from './feature-change.js';
import { type FeatureName, type SoughtFeature } from './feature.js';
import { type Partition } from './partition.js';
import { startOf, statementsOf } from './validity.js';

/** Which features a batch of changes may touch. */
export interface WantedRecords {
  /** Those that say the very same as one of these. */
  readonly contents: readonly SoughtFeature[];
  /** Those that are called like one of these and have not ended. */
  readonly names?: readonly FeatureName[];
  readonly uids?: readonly string[];
  /** Of the features with these uids. */
  readonly setUid?: string;
}

/** Which features of one category are asked for: all, or those of this tag, name, partition and subject. */
export interface WantedOfCategory {
  readonly category: string;
  readonly tag?: string;
  readonly name?: string;
  readonly partition?: Partition;
  /** Those about this subject; undefined in it: those without one. */
  readonly about?: { readonly subject: string | undefined };
  /** Whether those that ended are left out. */
  readonly isGoingOn?: boolean;
}

type Sought = Pick<SoughtFeature, 'subject' | 'tag' | 'name' | 'value' | 'since'>;

/** Which features the steps of a request may touch. */
export function wantedBy({
  location: { setUid },
  category,
  partition,
  changes,
  now,
}: Pick<ChangeRequest, 'location' | 'category' | 'changes'> & {
  readonly partition: Partition;
  readonly now: Instant;
}): WantedRecords {
  const inCategory = { setUid, category, ...partition };
  const contents = changes.flatMap((change): Sought[] => {
    // of a merged feature any time may be said
    if (change.kind === 'replace') return change.by.map((content) => ({ ...content, since: undefined }));
    if (change.kind !== 'add' && change.kind !== 'update') return [];
    const { citations } = change;
    const since = startOf({ citations, dates: statementsOf(change, citations), recordedAt: now });
    return [{ ...change, since }];
  });
  const named = changes.flatMap((change) =>
    change.kind === 'update' || change.kind === 'delete' ? [change] : [],
  );
  return {
    contents: contents.map(({ subject, tag, name, value, since }) => ({
      ...inCategory,
      ...{ subject, tag, name, value, since },
    })),
    names: named.flatMap(({ subject, tag, name }) =>
      [...new Set([subject, undefined])].map((about) => ({ ...inCategory, subject: about, tag, name })),
    ),
    uids: changes.flatMap((change) => ('uids' in change ? change.uids : [])),
    setUid,
  };
}

/** A category in several sets of one owner. */
export interface SetsOfCategory {
  readonly setUids: readonly string[];
  readonly category: string;
}
