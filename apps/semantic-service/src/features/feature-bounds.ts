import {
  MAX_FEATURE_CITATIONS,
  MAX_FEATURE_CONTRADICTIONS,
  MAX_FEATURE_DATES,
  MAX_FEATURE_METADATA_KEYS,
} from '@loci/contracts';
import { type FeatureRecord, type FeatureState } from './feature.js';

type Metadata = FeatureState['metadata'];

/** What becomes one with others stays small enough for one line of an import. */
const MAX_METADATA_CHARS = 600_000;

/** A feature with no more than one may have: of more citations and dates, those of the messages that were said last. */
export function withinBounds({ contradicts, ...feature }: FeatureRecord): FeatureRecord {
  const record = { ...feature, contradicts: contradicts?.slice(0, MAX_FEATURE_CONTRADICTIONS) };
  const { citations, dates } = record;
  const isWithin = citations.length <= MAX_FEATURE_CITATIONS && (dates?.length ?? 0) <= MAX_FEATURE_DATES;
  if (isWithin) return record;
  const lastSaid = citations.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const left = new Set(lastSaid.slice(MAX_FEATURE_CITATIONS).map(({ episodeUid }) => episodeUid));
  return {
    ...record,
    citations: citations.filter(({ episodeUid }) => !left.has(episodeUid)),
    dates: dates
      ?.filter(({ episodeUid }) => episodeUid === undefined || !left.has(episodeUid))
      .slice(-MAX_FEATURE_DATES),
  };
}

/** All that the later one says, and of the earlier one as much as there is room for, what it said last first. */
export function joinedMetadata(earlier: Metadata, later: Metadata): Metadata {
  let chars = charsOf(Object.entries(later));
  let keys = Object.keys(later).length;
  const kept: [string, string][] = [];
  for (const entry of Object.entries(earlier).reverse()) {
    if (Object.hasOwn(later, entry[0])) continue;
    keys += 1;
    chars += charsOf([entry]);
    if (keys > MAX_FEATURE_METADATA_KEYS || chars > MAX_METADATA_CHARS) break;
    kept.push(entry);
  }
  return Object.fromEntries([...kept.reverse(), ...Object.entries(later)]);
}

const charsOf = (entries: readonly (readonly [string, string])[]): number =>
  entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
