import { type Scope } from './project.js';

/**
 * An SQL condition for the rows of a table that a scope shows.
 * Parameters 1 and 2: organization and uid of the project.
 * @param table name or alias of the table in the statement
 */
export function visibleRows({ organization }: Pick<Scope, 'organization'>, table: string): string {
  const ofProject = `${table}.project_uid = $2::uuid`;
  const isShown = organization === 'none' ? ofProject : `(${table}.project_uid IS NULL OR ${ofProject})`;
  return `${table}.org_id = $1 AND ${isShown}`;
}

/** As `visibleRows`, for those that the scope may change. */
export const changeableRows = ({ organization }: Pick<Scope, 'organization'>, table: string): string =>
  visibleRows({ organization: organization === 'change' ? 'change' : 'none' }, table);
