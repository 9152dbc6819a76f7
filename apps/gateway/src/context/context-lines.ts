import {
  type Dated,
  type Episode,
  type Feature,
  type FeatureTrust,
  isTrustedProducer,
} from '@loci/contracts';
import { type BlockName } from './context-blocks.js';
import { quoted } from './quoted.js';

/** One thing that is remembered, as a line of a context. */
export interface ContextLine {
  readonly kind: 'feature' | 'episode';
  /** Id of the feature, or uid of the episode. */
  readonly id: string;
  /** How far it can be relied on; of a message whether its producer is trusted. */
  readonly trust: FeatureTrust;
  /** Without its citation marker. */
  readonly text: string;
  /** The lower, the sooner it is chosen among the lines of its block. */
  readonly rank: number;
}

/** What memory found for a context. */
export interface Findings {
  /** Best first. */
  readonly features: readonly Feature[];
  /** Best first. */
  readonly relevant: readonly Episode[];
  /** Oldest first. */
  readonly recent: readonly Episode[];
  /** Whose messages the project trusts. Absent: those of all producers. */
  readonly trustedProducers?: readonly string[] | undefined;
}

const PROFILE = 'profile';

/** The lines of each block, in the sequence in which they are shown; of what says the same only the newest. */
export function contextLines({
  features,
  relevant,
  recent,
  trustedProducers = ['*'],
}: Findings): Record<BlockName, ContextLine[]> {
  const known = newestOfEach(features, featureText, trustThenTime);
  const said = newestOfEach([...recent.toReversed(), ...relevant], whatIsSaid, ({ createdAt }) => createdAt);
  const [profile, facts] = divide(known, ({ category }) => category === PROFILE);
  const recentUids = new Set(recent.map(({ uid }) => uid));
  const [latest, earlier] = divide(said, ({ uid }) => recentUids.has(uid));
  const toEpisodeLine = (episode: Episode): Omit<ContextLine, 'rank'> =>
    episodeLine(episode, isTrustedProducer(trustedProducers, episode.producerId) ? 'trusted' : 'untrusted');
  const best = relevant[0];
  const isBest = (episode: Episode): boolean =>
    best !== undefined && whatIsSaid(episode) === whatIsSaid(best);
  return {
    profile: shown(profile, byName, featureLine),
    facts: shown(facts, byName, featureLine),
    episodes: shown(earlier, byDay, toEpisodeLine),
    recent: shown(divide(latest, isBest).flat(), byTime, toEpisodeLine),
  };
}

/** Lines of features by category, categories and lines by name; the features are chosen as they are given. */
export function linesByCategory(features: readonly Feature[]): ReadonlyMap<string, ContextLine[]> {
  const known = newestOfEach(
    features,
    ({ category, ...feature }) => `${quoted(category)}, ${featureText({ category, ...feature })}`,
    trustThenTime,
  );
  const categories = [...new Set(known.map(({ category }) => category))].sort();
  const linesOf = (name: string): ContextLine[] =>
    shown(
      known.filter(({ category }) => category === name),
      byName,
      featureLine,
    );
  return new Map(categories.map((name) => [name, linesOf(name)]));
}

/** What others say, too, does not become untrusted by it; ids grow with time. */
const trustThenTime = ({ trust, featureId }: Feature): string =>
  `${trust === 'untrusted' ? 0 : 1} ${featureId}`;

/** One of those that say the same: the newest, at the position of the first. */
function newestOfEach<Memory>(
  memories: readonly Memory[],
  contentOf: (memory: Memory) => string,
  timeOf: (memory: Memory) => string,
): Memory[] {
  const byContent = new Map<string, Memory>();
  for (const memory of memories) {
    const content = contentOf(memory);
    const same = byContent.get(content);
    if (!same || timeOf(memory) > timeOf(same)) byContent.set(content, memory);
  }
  return [...byContent.values()];
}

function divide<Memory>(
  memories: readonly Memory[],
  isFirst: (memory: Memory) => boolean,
): [Memory[], Memory[]] {
  return [memories.filter(isFirst), memories.filter((memory) => !isFirst(memory))];
}

/** @param memories in the sequence in which they are chosen */
const shown = <Memory>(
  memories: readonly Memory[],
  compare: (a: Memory, b: Memory) => number,
  toLine: (memory: Memory) => Omit<ContextLine, 'rank'>,
): ContextLine[] =>
  memories
    .map((memory, rank) => ({ memory, rank }))
    .sort((a, b) => compare(a.memory, b.memory))
    .map(({ memory, rank }) => ({ ...toLine(memory), rank }));

const inSequence = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** What is known under one name has the newest first: ids grow with time. */
const byName = (a: Feature, b: Feature): number =>
  inSequence(a.category, b.category) ||
  inSequence(a.tag, b.tag) ||
  inSequence(a.name, b.name) ||
  inSequence(b.featureId, a.featureId);

const byTime = (a: Episode, b: Episode): number =>
  inSequence(a.createdAt, b.createdAt) || inSequence(a.uid, b.uid);

const dayOf = ({ createdAt }: Episode): string => createdAt.slice(0, 10);

/** The newest day first; what was said on one day as it was said. */
const byDay = (a: Episode, b: Episode): number => inSequence(dayOf(b), dayOf(a)) || byTime(a, b);

const featureText = ({ tag, name, value }: Feature): string =>
  `${quoted(tag)}, ${quoted(name)}: ${quoted(value)}`;

/** Nothing where nothing says when: ` (from 2024-03 until 2025)`. */
function whenItHolds({ validity: { validFrom, validUntil } = {} }: Feature): string {
  const bounds = [
    ...(validFrom ? [`from ${asKnown(validFrom)}`] : []),
    ...(validUntil ? [`until ${asKnown(validUntil)}`] : []),
  ];
  return bounds.length > 0 ? ` (${bounds.join(' ')})` : '';
}

const KNOWN_CHARS = { year: 4, month: 7, day: 10, time: 16 } as const;

/** As exactly as it is known, in UTC. */
const asKnown = ({ at, precision }: Dated): string => at.slice(0, KNOWN_CHARS[precision]).replace('T', ' ');

const whatIsSaid = ({ producerId, content }: Episode): string => `${quoted(producerId)}: ${quoted(content)}`;

/** Outside of all quotation marks, where nothing that is stored can stand. */
const markOf = (trust: FeatureTrust): string => (trust === 'untrusted' ? '(untrusted) ' : '');

const featureLine = (feature: Feature): Omit<ContextLine, 'rank'> => ({
  kind: 'feature',
  id: feature.featureId,
  trust: feature.trust,
  text: `${markOf(feature.trust)}${featureText(feature)}${whenItHolds(feature)}`,
});

/** With the minute in UTC. */
const episodeLine = (episode: Episode, trust: FeatureTrust): Omit<ContextLine, 'rank'> => ({
  kind: 'episode',
  id: episode.uid,
  trust,
  text: `${markOf(trust)}${episode.createdAt.slice(0, 16).replace('T', ' ')} ${whatIsSaid(episode)}`,
});
