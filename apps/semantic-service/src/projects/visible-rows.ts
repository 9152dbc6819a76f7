import { type Scope } from './project.js';

/** Who has a row: the organization as a whole, or one of its projects. */
export type RowOwner = 'organization' | 'project';

const OWNED_BY: Readonly<Record<RowOwner, (table: string) => string>> = {
  organization: (table) => `${table}.project_uid IS NULL`,
  project: (table) => `${table}.project_uid = $2::uuid`,
};

/**
 * An SQL condition for the rows of a table that a scope shows.
 * Parameters 1 and 2: organization and uid of the project.
 * @param table name or alias of the table in the statement
 */
export function visibleRows(scope: Pick<Scope, 'organization'>, table: string): string {
  const isShown = ownersIn(scope).map((owner) => OWNED_BY[owner](table));
  return `${table}.org_id = $1 AND (${isShown.join(' OR ')})`;
}

/** Whose rows a scope shows. */
export const ownersIn = ({ organization }: Pick<Scope, 'organization'>): readonly RowOwner[] =>
  organization === 'none' ? ['project'] : ['organization', 'project'];

/** As `visibleRows`, for those of one owner alone: an index sorts them, but not those of both. */
export const rowsOwnedBy = (owner: RowOwner, table: string): string =>
  `${table}.org_id = $1 AND ${OWNED_BY[owner](table)}`;

/** As `visibleRows`, for those that the scope may change. */
export const changeableRows = ({ organization }: Pick<Scope, 'organization'>, table: string): string =>
  visibleRows({ organization: organization === 'change' ? 'change' : 'none' }, table);
