import { type Embedder } from '@loci/models';
import { scoreOfSum, SEARCH_WEIGHTS } from '@loci/retrieval';
import { type Conversation } from '../dataset.js';
import { prepare } from './prepared.js';
import { legsOf } from './replayed-set.js';
import { findLegs, rank } from './replayed-search.js';
import { type KeptVectors } from './vectors.js';

/** What a threshold does to the first hits of questions, as shares of the questions. */
export interface Threshold {
  readonly threshold: number;
  /** Of the answerable questions, those whose first hit stays. */
  readonly recall: number;
  /** Of the first hits that stay, those of answerable questions, when as many are asked in another conversation. */
  readonly precision: number;
  readonly refusedElsewhere: number;
  readonly refusedAdversarial: number;
}

interface Asked {
  readonly embedder: Embedder;
  readonly vectors: KeptVectors;
}

const THRESHOLDS = [0.3, 0.5, 0.7];

/**
 * The score of the first hit, of questions that their conversation answers, of the same asked in the next conversation, and of
 * adversarial ones.
 * @param conversations two at least
 * @param adversarial the same conversations with the other questions
 */
export async function measureThresholds(
  conversations: readonly Conversation[],
  adversarial: readonly Conversation[],
  asked: Asked,
): Promise<Threshold[]> {
  const elsewhere = conversations.map((conversation, index) => ({
    ...conversation,
    questions: conversations[(index + 1) % conversations.length]?.questions ?? [],
  }));
  const [own, other, misled] = [
    await firstScores(conversations, asked),
    await firstScores(elsewhere, asked),
    await firstScores(adversarial, asked),
  ];
  return THRESHOLDS.map((threshold) => {
    const keptOf = (scores: readonly number[]): number =>
      scores.filter((score) => score >= threshold).length / scores.length;
    const [recall, keptElsewhere] = [keptOf(own), keptOf(other)];
    return {
      threshold,
      recall,
      precision: recall / (recall + keptElsewhere),
      refusedElsewhere: 1 - keptElsewhere,
      refusedAdversarial: 1 - keptOf(misled),
    };
  });
}

async function firstScores(
  conversations: readonly Conversation[],
  { embedder, vectors }: Asked,
): Promise<number[]> {
  const scores: number[] = [];
  for (const conversation of conversations) {
    const prepared = await prepare(conversation, vectors);
    const legs = await legsOf(prepared, embedder);
    for (const question of prepared.questions) {
      const found = findLegs(prepared, question, legs);
      const [first] = rank(prepared, question, { legs, found, weights: SEARCH_WEIGHTS, topK: 10 });
      scores.push(first ? scoreOfSum(first.sum) : 0);
    }
  }
  return scores;
}
