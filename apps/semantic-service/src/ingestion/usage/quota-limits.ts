import { type SemanticQuota } from '@loci/contracts';
import { SCHEMA } from '../../database.js';

const ownLimit = (name: SemanticQuota): string =>
  `(SELECT max FROM ${SCHEMA}.quota_limits WHERE org_id = $1 AND quota = '${name}')`;

/** SQL. Parameters: the organization, and the defaults of the three quotas. */
export const LIMITS = `
SELECT coalesce(${ownLimit('model_calls_per_day')}, $2::bigint) AS max_calls,
       coalesce(${ownLimit('model_tokens_per_day')}, $3::bigint) AS max_tokens,
       coalesce(${ownLimit('model_cost_per_day')}, $4::bigint) AS max_cost`;
