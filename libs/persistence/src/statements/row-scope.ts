/** The setting of a connection that says whose rows its statements see. */
export const SCOPE_SETTING = 'loci.scope';

/** No tenant is called this: identifiers have no asterisk. */
export const EVERY_TENANT = '*';

declare const scope: unique symbol;

/** Whose rows a statement sees. */
export type RowScope = string & { readonly [scope]: true };

/** Of tables with row security, none. Without a scope nothing is visible. */
export const NO_TENANT = '' as RowScope;

/** The rows of one tenant. @param tenant what `enableRowSecurity` compares, as the table's migration says it */
export function rowsOf(tenant: string): RowScope {
  if (tenant === EVERY_TENANT) throw new Error('No tenant is called *.');
  return tenant as RowScope;
}

/**
 * The rows of all tenants. For work that belongs to no tenant (sweepers, reconcilers, erasure), and for statements
 * that name the tenants of their rows themselves; never for one whose conditions a request made.
 */
export const ROWS_OF_ALL = EVERY_TENANT as RowScope;
