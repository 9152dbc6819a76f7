import { type Dated, type Instant } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { type Citation, type FeatureRecord } from './feature.js';
import { allDates, stated, validityOf } from './validity.js';

/** How something ended that a feature says. */
export interface Ending {
  readonly until: Dated;
  /** The messages that say so; none: a client does. */
  readonly citations: readonly Citation[];
  /** The feature that replaced it. */
  readonly supersededBy?: string | undefined;
}

/** A feature that ended. */
export function ended(record: FeatureRecord, { until, citations, supersededBy }: Ending): FeatureRecord {
  const ending = { bound: 'until', ...notBefore(record, until), supersededBy } as const;
  return { ...record, dates: allDates(record.dates, stated(ending, citations)) };
}

/**
 * When something ends: not before it is said to begin. Where nothing says that, it may end before it was first said: then it
 * held from any time.
 */
export function notBefore({ dates }: Pick<FeatureRecord, 'dates'>, until: Dated): Dated {
  const { validFrom } = validityOf(dates);
  return validFrom && validFrom.at > until.at ? validFrom : until;
}

/** What a feature said before it says something else: a feature of its own, which ended. */
export const former = (
  before: FeatureRecord,
  { until, citations }: Pick<Ending, 'until' | 'citations'>,
): FeatureRecord => ({
  ...ended(before, { until, citations, supersededBy: before.uid }),
  uid: uuidv7(),
  createdAt: undefined,
  isPinned: false,
});

/** When the last of some messages was said. */
export const lastSaid = (citations: readonly Citation[]): Instant | undefined =>
  citations.reduce<Instant | undefined>(
    (last, { createdAt }) => (last === undefined || createdAt > last ? createdAt : last),
    undefined,
  );

/** Since when what messages say counts: as stated, else since the first of them was said; without one, since now. */
export function sinceThen(validFrom: Dated | undefined, citations: readonly Citation[], now: Instant): Dated {
  if (validFrom) return validFrom;
  const said = citations.map(({ createdAt }) => createdAt).sort();
  return { at: said[0] ?? now, precision: 'time' };
}
