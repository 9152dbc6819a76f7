import { type SearchWeights } from '@loci/retrieval';
import { type EpisodicServiceEnv } from '../env.js';

const DAY_MS = 86_400_000;

export const searchWeights = (env: EpisodicServiceEnv): SearchWeights => ({
  dense: env.SEARCH_WEIGHT_DENSE,
  neighbours: env.SEARCH_WEIGHT_NEIGHBOURS,
  secondNeighbours: env.SEARCH_WEIGHT_SECOND_NEIGHBOURS,
  session: env.SEARCH_WEIGHT_SESSION,
  participant: env.SEARCH_WEIGHT_PARTICIPANT,
  time: env.SEARCH_WEIGHT_TIME,
  firstPerson: env.SEARCH_WEIGHT_FIRST_PERSON,
  recency: env.SEARCH_WEIGHT_RECENCY,
  state: env.SEARCH_WEIGHT_STATE,
  change: env.SEARCH_WEIGHT_CHANGE,
  question: env.SEARCH_WEIGHT_QUESTION,
  statement: env.SEARCH_WEIGHT_STATEMENT,
  exact: env.SEARCH_WEIGHT_EXACT,
  halfLifeMs: env.SEARCH_RECENCY_HALF_LIFE_DAYS * DAY_MS,
});
