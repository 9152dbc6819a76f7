import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameter: seconds since they were erased. */
export const forgetErasedProjects = (schema: string) =>
  sql({
    text: `DELETE FROM ${qualified(schema, 'projects')}
           WHERE state = 'erased' AND changed_at < now() - make_interval(secs => $1)`,
  });
