import { rowColumns } from '@loci/persistence';

/** SQL columns of a walk by time and uid: how many rows its CTE `page` has, and where the last of them is, null without one. */
export const WALKED = `count(*)::int AS seen,
                  (SELECT created_at::text FROM page ORDER BY created_at DESC, uid DESC LIMIT 1) AS seen_at,
                  (SELECT uid::text FROM page ORDER BY created_at DESC, uid DESC LIMIT 1) AS seen_uid`;

/** The columns of `WALKED`. */
export const WALKED_ROW = rowColumns({ seen: 'int4', seen_at: 'text?', seen_uid: 'text?' });
