import { type FeatureWrite } from '../features/feature-writer.js';
import { type Citation, type FeatureRecord } from '../features/feature.js';
import { type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';
import { sayTheSame } from '../features/feature-states.js';
import { notBefore } from '../features/replaced-feature.js';
import { datesLeft, isOneOf } from './gone-episodes.js';
import { allDates, type DateStatement, startOf, stated } from '../features/validity.js';

/** Features without what episodes said of when they hold: one that only these ended holds again. */
export function withoutDates(
  records: readonly FeatureRecord[],
  gone: GoneEpisodes,
  successors: readonly FeatureRecord[],
): FeatureWrite[] {
  const isGone = isOneOf(gone);
  const left = records.map((record) => ({
    before: record,
    record: { ...record, dates: datesLeft(record.dates, isGone) },
  }));
  const now = new Map([...successors, ...left.map(({ record }) => record)].map((one) => [one.uid, one]));
  return left.map(({ before, record }) => {
    const replaced = (before.dates ?? []).filter(isGone).flatMap(({ supersededBy = '' }) => {
      const successor = now.get(supersededBy);
      // what replaced it may say the same again by now
      return successor && !sayTheSame(successor, record) ? endedBy(successor, record) : [];
    });
    return { before, record: { ...record, dates: allDates(replaced, record.dates) } };
  });
}

/** What replaced it is still there, since others say so: it ended when the first of these says. */
function endedBy(successor: FeatureRecord, record: FeatureRecord): DateStatement[] {
  const [first] = [...successor.citations].sort(byTime);
  const begins = { at: startOf(successor) ?? successor.recordedAt, precision: 'time' } as const;
  const ending = { bound: 'until', ...notBefore(record, begins), supersededBy: successor.uid } as const;
  return stated(ending, first ? [first] : []);
}

const byTime = (a: Citation, b: Citation): number =>
  Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);
