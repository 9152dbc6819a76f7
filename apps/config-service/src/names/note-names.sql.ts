import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters, column by column: organizations, projects ('' = none), skeletons. */
export const NOTE_NAMES = sql({
  text: `INSERT INTO ${SCHEMA}.bound_names (org_id, project_id, skeleton)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
});
