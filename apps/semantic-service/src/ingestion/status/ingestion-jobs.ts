import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { visibleRows } from '../../projects/visible-rows.js';

/** SQL. Parameters 1 to 4: organization, project, whether something has to wait, state (null = any). */
export const fromJobs = (scope: Pick<Scope, 'organization'>): string => `
  FROM ${SCHEMA}.ingestion_jobs AS job JOIN ${SCHEMA}.sets ON sets.uid = job.set_uid
  WHERE ${visibleRows(scope, 'job')}
    AND (NOT $3::boolean OR job.waiting > 0) AND ($4::text IS NULL OR job.state = $4)`;
