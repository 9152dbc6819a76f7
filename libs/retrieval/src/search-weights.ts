import { type DialogueWeights } from './dialogue-ranking.js';

export interface SearchWeights extends DialogueWeights {
  /** The share of meaning, against words, in an episode's own score. */
  readonly dense: number;
}

const DAY_MS = 86_400_000;

/** As delivered: chosen by `npm run bench:weights -- --choose`. */
export const SEARCH_WEIGHTS: SearchWeights = {
  dense: 0.4,
  neighbours: 0.3,
  secondNeighbours: 0.15,
  session: 0.2,
  participant: 0.2,
  time: 0.15,
  firstPerson: 0.2,
  recency: 0.02,
  state: 0.2,
  change: 0.15,
  question: 0.08,
  statement: 0.02,
  exact: 1,
  halfLifeMs: 90 * DAY_MS,
};
