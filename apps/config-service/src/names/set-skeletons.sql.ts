import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters, column by column: uids, skeletons of the organizations, skeletons of the projects. */
export const SET_SKELETONS = sql({
  text: `UPDATE ${SCHEMA}.projects SET org_skeleton = made.org, project_skeleton = made.project
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS made (uid, org, project) WHERE projects.uid = made.uid`,
});
