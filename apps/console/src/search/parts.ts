import { type Wire } from '../api/loci.js';

type Part = Wire['ScorePart'];

/** What a part of a score is called, and its colour. */
export const PARTS: Readonly<Record<Part['name'], readonly [name: string, colour: string]>> = {
  meaning: ['Meaning', 'var(--color-leg-1)'],
  words: ['Words', 'var(--color-leg-2)'],
  neighbours: ['Neighbours', 'var(--color-leg-3)'],
  second_neighbours: ['Two turns away', 'color-mix(in oklab, var(--color-leg-3) 55%, transparent)'],
  session: ['Session', 'var(--color-leg-4)'],
  participant: ['Speaker', 'var(--color-leg-5)'],
  time: ['Time', 'var(--color-leg-6)'],
  first_person: ['First person', 'color-mix(in oklab, var(--color-leg-5) 55%, transparent)'],
  recency: ['Recency', 'var(--color-leg-7)'],
  state: ['How it is now', 'color-mix(in oklab, var(--color-leg-6) 60%, transparent)'],
  change: ['Announces a change', 'color-mix(in oklab, var(--color-leg-4) 60%, transparent)'],
  question: ['Is a question', 'color-mix(in oklab, var(--color-leg-7) 55%, transparent)'],
  statement: ['Newer or older statement', 'color-mix(in oklab, var(--color-leg-2) 55%, transparent)'],
  exact: ['Exact text', 'color-mix(in oklab, var(--color-leg-1) 55%, transparent)'],
};

/** What a reranker is called, and its colour. */
export const RERANKER = ['Reranker', 'var(--color-leg-8)'] as const;

/** Why a candidate is not among the hits. */
export const REASONS: Readonly<Record<Wire['CutCandidate']['reason'], string>> = {
  top_k: 'as many as “Hits” asks for are better',
  score_threshold: 'its score is below “Least score”',
  short_term_memory: 'short-term memory shows it already',
  filter_or_deleted: 'the filter does not match it, or it was deleted meanwhile',
};

/** What became of a memory that was expected, in an answer that knows of it. */
export type Fate =
  | { readonly kind: 'hit' | 'feature'; readonly rank: number; readonly score: number }
  | { readonly kind: 'recent' }
  | { readonly kind: 'cut'; readonly score: number; readonly reason: Wire['CutCandidate']['reason'] };

/**
 * @param expected the id of a message or a feature
 * @returns undefined where the answer does not name it
 */
export function fateOf(expected: string, content: Wire['SearchResultContent']): Fate | undefined {
  const { episodic_memory: episodic, semantic_memory: features = [] } = content;
  const { episodes = [], cut = [] } = episodic?.long_term_memory ?? {};
  const rank = episodes.findIndex(({ uid }) => uid === expected);
  if (rank >= 0) return { kind: 'hit', rank: rank + 1, score: episodes[rank]?.score ?? 0 };
  const position = features.findIndex(({ metadata }) => metadata.id === expected);
  if (position >= 0) return { kind: 'feature', rank: position + 1, score: features[position]?.score ?? 0 };
  const candidate = cut.find(({ uid }) => uid === expected);
  if (candidate) return { kind: 'cut', score: candidate.score, reason: candidate.reason };
  const isRecent = episodic?.short_term_memory.episodes.some(({ uid }) => uid === expected) ?? false;
  return isRecent ? { kind: 'recent' } : undefined;
}
