import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { TODAY } from './today.js';

/** Parameters: organization, project, model; calls, failures, tokens read and written, cost. */
export const ADD_USAGE = sql({
  name: 'ingestion_usage_add',
  text: `
INSERT INTO ${SCHEMA}.ingestion_usage AS usage
  (day, org_id, project_uid, model, calls, failures, input_tokens, output_tokens, cost)
VALUES (${TODAY}, $1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (org_id, project_uid, day, model) DO UPDATE
SET calls = usage.calls + excluded.calls, failures = usage.failures + excluded.failures,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    cost = coalesce(usage.cost + excluded.cost, usage.cost, excluded.cost)`,
});
