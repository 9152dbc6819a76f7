import {
  type Citation,
  type FeatureContent,
  type FeatureName,
  type FeatureRecord,
  type FeatureState,
} from './feature.js';

/** The part of a record that is put into history. */
export const stateOf = ({
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  byClient,
  isSingleValued,
  contradicts,
  isPinned,
  isTrusted,
  sourceProjectUid,
  origin,
  citations,
  dates,
  recordedAt,
}: FeatureRecord): FeatureState => ({
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  byClient,
  isSingleValued,
  contradicts,
  isPinned,
  isTrusted,
  sourceProjectUid,
  origin,
  citations,
  dates,
  recordedAt,
});

/** The same of two features that say the very same, whenever they hold. */
export const contentKey = (feature: FeatureContent & FeatureName): string =>
  JSON.stringify([
    ...[feature.setUid, feature.subject ?? null, feature.category, feature.tag, feature.name, feature.value],
    ...[feature.isTrusted, feature.sourceProjectUid],
  ]);

/** Whether two features of one set say the very same, of whatever time. */
export const sayTheSame = (a: FeatureContent, b: FeatureContent): boolean =>
  a.subject === b.subject &&
  a.category === b.category &&
  a.tag === b.tag &&
  a.name === b.name &&
  a.value === b.value;

/** All citations, each episode once. */
export function union(some: readonly Citation[], others: readonly Citation[]): readonly Citation[] {
  const known = new Set(some.map(({ episodeUid }) => episodeUid));
  return [...some, ...others.filter(({ episodeUid }) => !known.has(episodeUid))];
}

/** Tells of a citation whether a feature has it already. */
export function citedBy(record: FeatureRecord | undefined): (citation: Citation) => boolean {
  const identity = ({ episodeUid, addedAt }: Citation): string => `${episodeUid} ${addedAt ?? ''}`;
  const cited = new Set(record?.citations.map(identity));
  return (citation) => cited.has(identity(citation));
}

/** Whether two records say, and cite, the same, contradict the same, and both are pinned or neither is. */
export function sameState(a: FeatureRecord, b: FeatureRecord): boolean {
  const comparable = ({ citations, metadata, dates = [], ...state }: FeatureState): string =>
    JSON.stringify([
      ...[state.subject, state.category, state.tag, state.name, state.value, state.byClient, state.isTrusted],
      state.isSingleValued ?? null,
      state.isPinned ?? false,
      (state.contradicts ?? []).toSorted(),
      Object.entries(metadata).sort(([x], [y]) => (x < y ? -1 : 1)),
      citations.map(({ episodeUid }) => episodeUid).sort(),
      dates
        .map(({ bound, at, precision, supersededBy, episodeUid }) =>
          JSON.stringify([bound, at, precision, supersededBy, episodeUid]),
        )
        .sort(),
    ]);
  return comparable(a) === comparable(b);
}

/** The records of each set. */
export function bySet<Record extends Pick<FeatureRecord, 'setUid'>>(
  records: readonly Record[],
): [string, Record[]][] {
  const sets = new Map<string, Record[]>();
  for (const record of records) sets.set(record.setUid, [...(sets.get(record.setUid) ?? []), record]);
  // always in one sequence, so that two transactions cannot wait for each other
  return [...sets].sort(([a], [b]) => (a < b ? -1 : 1));
}
