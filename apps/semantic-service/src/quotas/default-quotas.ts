import { type SemanticQuota } from '@loci/contracts';
import { type SemanticServiceEnv } from '../env.js';

/** Of organizations for which an administrator set nothing else. */
export const defaultQuotas = (env: SemanticServiceEnv): Readonly<Record<SemanticQuota, number>> => ({
  sets: env.QUOTA_SETS,
  set_types: env.QUOTA_SET_TYPES,
  categories_per_set: env.QUOTA_CATEGORIES_PER_SET,
  model_calls_per_day: env.QUOTA_MODEL_CALLS_PER_DAY,
  model_tokens_per_day: env.QUOTA_MODEL_TOKENS_PER_DAY,
  model_cost_per_day: env.QUOTA_MODEL_COST_PER_DAY,
});
