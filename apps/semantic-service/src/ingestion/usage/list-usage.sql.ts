import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { visibleRows } from '../../projects/visible-rows.js';
import { TODAY } from './today.js';

/** Newest day first. Parameters: organization, project, how many days. */
export const listUsage = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT day::text AS day, model, project_uid IS NULL AS is_org_level, calls, failures, input_tokens,
                  output_tokens, cost::text AS cost
           FROM ${SCHEMA}.ingestion_usage
           WHERE ${visibleRows(scope, 'ingestion_usage')} AND day > ${TODAY} - $3::int
           ORDER BY ingestion_usage.day DESC, model, is_org_level`,
    row: {
      day: 'text',
      model: 'text',
      is_org_level: 'bool',
      calls: 'int8',
      failures: 'int8',
      input_tokens: 'int8',
      output_tokens: 'int8',
      cost: 'text?',
    },
  });
