import { SCHEMA } from '../database.js';
import { nameSkeleton } from './name-skeleton.js';

const BATCH_SIZE = 5_000;

interface Queries {
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row>;
}

interface Row {
  readonly uid: string;
  readonly org_id: string;
  readonly project_id: string;
}

/**
 * Gives a skeleton to every project that has none: it was made before there were any, or by a process of the version
 * before, while the processes of a deployment are replaced.
 * @param queries on a connection that sees the rows of all tenants
 */
export async function fillSkeletons(queries: Queries): Promise<void> {
  for (;;) {
    const rows = await queries.query<Row[]>(
      `SELECT uid, org_id, project_id FROM ${SCHEMA}.projects WHERE project_skeleton IS NULL LIMIT ${BATCH_SIZE}`,
    );
    if (rows.length === 0) return;
    await queries.query(
      `UPDATE ${SCHEMA}.projects SET org_skeleton = made.org, project_skeleton = made.project
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS made (uid, org, project) WHERE projects.uid = made.uid`,
      [
        rows.map(({ uid }) => uid),
        rows.map(({ org_id }) => nameSkeleton(org_id)),
        rows.map(({ project_id }) => nameSkeleton(project_id)),
      ],
    );
  }
}
