import { type IncomingHttpHeaders } from 'node:http';
import { invalid, organizationAccess, type OrganizationAccess, type Tenant } from '@loci/contracts';
import { filledText, nullish } from '@loci/platform/schema';
import { type GatewayEnv } from '../env.js';
import { readRequest, request } from '../wire/schema/request.js';
import { type WireLimits } from '../wire/schema/wire-limits.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';
import { type ToolCaller } from './mcp-tool.js';

/** Whom a tool call acts for. */
export interface McpIdentity {
  readonly org_id: string;
  readonly project_id: string;
  readonly user_id: string;
}

/** The ids that a tool takes as arguments. */
export interface NamedIds {
  readonly org_id?: string | undefined;
  readonly proj_id?: string | undefined;
  readonly user_id?: string | undefined;
}

export type McpDefaults = Pick<GatewayEnv, 'MM_ORG_ID' | 'MM_PROJ_ID' | 'MM_USER_ID'>;

/** Whose memory a call is about. */
export interface McpScope {
  readonly tenant: Tenant;
  readonly organization: OrganizationAccess;
  /** Nothing of other users is read; undefined: all of the project is. */
  readonly user: string | undefined;
}

class ScopeBody extends request('McpScope', {
  ...NamedProjectBody.schema.properties,
  user_id: nullish(filledText('MAX_METADATA_VALUE_CHARS')),
}) {}

/** The scope of a call by the ids that it comes with. @throws AppError `invalid_request` for a header that is no id */
export function scopeOf(call: ToolCaller, env: McpDefaults & WireLimits, ids: NamedIds): McpScope {
  const { org_id, project_id } = identityOf(call, env, ids);
  const given = { org_id, project_id, user_id: userOf(call, env, ids) };
  const body = readRequest(ScopeBody, given, { from: 'arguments', limits: env });
  return { tenant: tenantOf(body), organization: organizationAccess(call.caller), user: body.user_id };
}

const DEFAULT_ORG = 'mcp-universal';
const DEFAULT_USER = 'user-unknown';

/**
 * Each id from the header of the client, else from the environment, else from the arguments, else what the caller is
 * bound to, else the default (api-contract §1.12); the user of a key that speaks for one producer is that one, whatever the
 * environment says. It may name a project that the caller has no business with.
 */
export function identityOf(call: ToolCaller, env: McpDefaults, ids: NamedIds): McpIdentity {
  const { headers, caller } = call;
  const { orgId, projectId } = caller.bounds;
  const user_id = userOf(call, env, ids) ?? DEFAULT_USER;
  return {
    org_id: headerOf(headers, 'org-id') ?? env.MM_ORG_ID ?? ids.org_id ?? orgId ?? DEFAULT_ORG,
    project_id:
      headerOf(headers, 'proj-id') ?? env.MM_PROJ_ID ?? ids.proj_id ?? projectId ?? `mcp-${user_id}`,
    user_id,
  };
}

/** The user as `identityOf` knows it; undefined when none is named. */
export const userOf = (
  { headers, caller }: ToolCaller,
  env: McpDefaults,
  ids: NamedIds,
): string | undefined =>
  headerOf(headers, 'user-id') ??
  (caller.producer ? ids.user_id : (env.MM_USER_ID ?? ids.user_id)) ??
  caller.producer;

/**
 * A blank header is no absent one: it comes from a variable that was not set, and to go on without it would open what was to
 * be one user's to all.
 * @throws AppError `invalid_request`
 */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string') return undefined;
  if (value.trim() !== '') return value;
  throw invalid('invalid_request', [
    { loc: ['header', name], msg: 'The header is blank; give it a value, or leave it out', type: 'missing' },
  ]);
}
