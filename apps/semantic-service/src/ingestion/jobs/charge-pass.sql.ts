import { sql } from '@loci/persistence';
import { ORGS } from './queues.js';

/** Parameters: the organization, how far it moves back. */
export const CHARGE_PASS = sql({
  name: 'ingestion_charge_pass',
  text: `UPDATE ${ORGS} SET turn = turn + $2::float8 WHERE org_id = $1`,
});
