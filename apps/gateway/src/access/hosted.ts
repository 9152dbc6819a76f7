import { IDENTIFIER_MAX_LENGTH, isWithin, projectNotFound, type Tenant } from '@loci/contracts';
import { isJsonObject } from '@loci/platform/schema';
import { type FastifyRequest } from 'fastify';
import { type Caller } from './caller.js';

const HOSTED_PREFIX = '/v2/';
const DEFAULT_PROJECT = 'universal';

/** Whether a path belongs to the hosted form, in which the token decides organization and project. */
export const isHostedPath = (path: string): boolean => path.startsWith(HOSTED_PREFIX);

export const isHosted = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url !== undefined && isHostedPath(url);

/**
 * For what deletes or replaces something: a caller that names another organization or project than its token's means
 * other data than would be hit. An empty name is none.
 * @param fields of its body, or of its query, which is not read otherwise
 * @throws AppError `project_not_found`
 */
export function refuseOtherTenant({ bounds }: Caller, fields: unknown): void {
  if (!isJsonObject(fields)) return;
  const named = (field: string, own: string | undefined): string => {
    const value = fields[field] ?? '';
    if (value === '') return own ?? DEFAULT_PROJECT;
    return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, IDENTIFIER_MAX_LENGTH);
  };
  const tenant = { orgId: named('org_id', bounds.orgId), projectId: named('project_id', bounds.projectId) };
  if (!isWithin(tenant, bounds)) throw projectNotFound(tenant);
  for (const field of Object.keys(fields)) {
    const part = MISSPELT.get(field.toLowerCase().replace(/[^a-z]/g, ''));
    if (part && named(field, tenant[part]) !== tenant[part]) {
      throw projectNotFound({ ...tenant, [part]: named(field, tenant[part]) });
    }
  }
}

/** What else clients call the fields of the tenant, which would be ignored as any other unknown field. */
const MISSPELT: ReadonlyMap<string, keyof Tenant> = new Map([
  ['orgid', 'orgId'],
  ['organizationid', 'orgId'],
  ['projectid', 'projectId'],
  ['projid', 'projectId'],
]);

/**
 * The body with the tenant of its caller, whatever it says itself. A caller who is bound to no project names one; the
 * hosted form writes the default one as an empty text, too.
 */
export function hostedBody({ bounds: { orgId, projectId } }: Caller, body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const chosen = body['project_id'];
  const isOpen = chosen === undefined || chosen === '';
  return { ...body, org_id: orgId, project_id: projectId ?? (isOpen ? DEFAULT_PROJECT : chosen) };
}
