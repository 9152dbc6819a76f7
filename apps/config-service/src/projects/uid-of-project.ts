import { SCHEMA } from '../database.js';

/** SQL for the uid of the project of this name, which is looked up once, so that an index by project serves. Null without one. */
export const uidOfProject = (orgId: string, projectId: string): string =>
  `(SELECT uid FROM ${SCHEMA}.projects WHERE org_id = ${orgId} AND project_id = ${projectId})`;
