import { type Dialogue, type GoldFact } from './dialogue.js';

/** A feature that was learned. */
export interface LearnedFeature {
  readonly subject: string;
  readonly value: string;
  readonly validFrom: string | undefined;
  readonly validUntil: string | undefined;
  /** Whether it holds when it is asked without a time. */
  readonly isLive: boolean;
  /** Whether another feature took over from it. */
  readonly isReplaced: boolean;
  /** Numbers of the messages that it cites, as of the dialogue. */
  readonly messages: readonly number[];
}

/** How many of how many were right. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

export const SCORES = [
  'facts found',
  'facts that are right',
  'subjects',
  'dates',
  'updates',
  'citations',
  'abstentions',
] as const;
export type ScoreName = (typeof SCORES)[number];
export type Scores = Readonly<Record<ScoreName, Share>>;

export interface ScoredDialogue {
  readonly id: string;
  readonly kind: string;
  readonly scores: Scores;
  /** What went wrong, in words. */
  readonly mistakes: readonly string[];
}

const says = (value: string, words: readonly string[]): boolean =>
  words.every((word) => value.toLowerCase().includes(word.toLowerCase()));

const share = (results: readonly boolean[]): Share => ({
  right: results.filter(Boolean).length,
  of: results.length,
});

/** Compares what was learned with what a reader would note. A fact that was not found counts nowhere else. */
export function scoreDialogue(dialogue: Dialogue, learned: readonly LearnedFeature[]): ScoredDialogue {
  const live = learned.filter(({ isLive }) => isLive);
  const found = dialogue.gold.map((gold) => ({
    gold,
    feature: bestOf(gold.valid_until === undefined ? live : learned, gold),
  }));
  const pairs = found.flatMap(({ gold, feature }) => (feature ? [{ gold, feature }] : []));
  const isGold = ({ value }: LearnedFeature): boolean => dialogue.gold.some((gold) => says(value, gold.says));
  const dated = pairs.flatMap((pair) => datesOf(pair.gold).map((name) => ({ ...pair, name })));
  const updates = dialogue.gold.flatMap(({ replaces }) => replaces ?? []);
  const isKept = (word: string): boolean =>
    learned.some(({ value, isReplaced }) => isReplaced && says(value, [word])) &&
    !live.some(({ value }) => says(value, [word]) && !isGoldValue(dialogue, value));
  const isSubject = ({ gold, feature }: Pair): boolean => feature.subject === gold.subject;
  const isDated = ({ gold, feature, name }: Pair & { name: DateName }): boolean =>
    (name === 'valid_from' ? feature.validFrom : feature.validUntil)?.startsWith(gold[name] ?? '') === true;
  const isCited = ({ gold, feature }: Pair): boolean =>
    JSON.stringify([...feature.messages].sort()) === JSON.stringify([...gold.messages].sort());
  const isAbsent = (text: string): boolean => !live.some(({ value }) => says(value, [text]));
  const scores: Scores = {
    'facts found': share(found.map(({ feature }) => feature !== undefined)),
    'facts that are right': share(live.map(isGold)),
    subjects: share(pairs.map(isSubject)),
    dates: share(dated.map(isDated)),
    updates: share(updates.map(isKept)),
    citations: share(pairs.map(isCited)),
    abstentions: share(dialogue.absent.map(isAbsent)),
  };
  const mistakes = [
    ...found.flatMap(({ gold, feature }) => (feature ? [] : [`not found: ${gold.says.join(' ')}`])),
    ...live.filter((one) => !isGold(one)).map(({ value }) => `not in the gold labels: ${value}`),
    ...pairs
      .filter((one) => !isSubject(one))
      .map(({ feature }) => `about ${feature.subject}: ${feature.value}`),
    ...dated
      .filter((one) => !isDated(one))
      .map(({ feature, name }) => `${name} is not that of the gold label: ${feature.value}`),
    ...updates.filter((word) => !isKept(word)).map((word) => `not kept as what held before: ${word}`),
    ...pairs
      .filter((one) => !isCited(one))
      .map(({ feature }) => `cites ${feature.messages.join(', ') || 'nothing'}: ${feature.value}`),
    ...dialogue.absent.filter((text) => !isAbsent(text)).map((text) => `should not be known: ${text}`),
  ];
  return { id: dialogue.id, kind: dialogue.kind, scores, mistakes };
}

interface Pair {
  readonly gold: GoldFact;
  readonly feature: LearnedFeature;
}

type DateName = 'valid_from' | 'valid_until';

const datesOf = (gold: GoldFact): DateName[] =>
  (['valid_from', 'valid_until'] as const).filter((name) => gold[name] !== undefined);

const isGoldValue = ({ gold }: Dialogue, value: string): boolean =>
  gold.some(({ says: words }) => says(value, words));

/** One about the right subject before others; what has ended by now is found among all. */
function bestOf(learned: readonly LearnedFeature[], gold: GoldFact): LearnedFeature | undefined {
  const saying = learned.filter(({ value }) => says(value, gold.says));
  return saying.find(({ subject }) => subject === gold.subject) ?? saying[0];
}

/** The sums of all dialogues. */
export function totalOf(scored: readonly Pick<ScoredDialogue, 'scores'>[]): Scores {
  const sum = (name: ScoreName): Share => ({
    right: scored.reduce((total, { scores }) => total + scores[name].right, 0),
    of: scored.reduce((total, { scores }) => total + scores[name].of, 0),
  });
  return Object.fromEntries(SCORES.map((name) => [name, sum(name)])) as Record<ScoreName, Share>;
}
