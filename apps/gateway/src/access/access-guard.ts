import { AppError, forbidden, type Tenant } from '@loci/contracts';
import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify';
import { readBody } from '../wire/schema/request.js';
import { type WireLimits } from '../wire/schema/wire-limits.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { type AccessRow, ruleOf } from './access-table.js';
import { clientNetwork } from './client-address.js';
import { requireScope, requireTenant } from './authorization.js';
import { ANYONE, type Caller, isKnown } from './caller.js';
import { type FailedCallers, unknownCaller } from './failed-callers.js';
import { hostedBody, isHosted, refuseOtherTenant } from './hosted.js';
import { requestToken } from './request-token.js';
import { type Sessions } from './sessions.js';
import { type TokenVerifier } from './token-verifier.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is. */
    accessTable: readonly AccessRow[];
  }
  interface FastifyRequest {
    /** Undefined on operational routes only. */
    caller: Caller | undefined;
    /** What the request is about, once its body is read; undefined when it is about no project. */
    tenant: Tenant | undefined;
    /** Whom its token belongs to by now; undefined once it has ended. While that cannot be found out, its caller. */
    callerNow: () => Promise<Caller | undefined>;
  }
}

export interface AccessOptions {
  readonly tokens: TokenVerifier;
  readonly failed: FailedCallers;
  /** Of browsers, which send no token themselves. */
  readonly sessions: Sessions;
  /** Whether callers have to say who they are. Those of the hosted form always have to. */
  readonly isRequired: boolean;
  readonly limits: WireLimits;
}

/** Methods whose requests name their tenant in the query. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Lets a request through to its handler only for a caller who is known, may do such things, and may do them to the
 * tenant that it names. The first two are checked before the body is read.
 */
export function guardAccess(server: FastifyInstance, options: AccessOptions): void {
  server.decorateRequest('caller', undefined);
  server.decorateRequest('tenant', undefined);
  server.decorateRequest('callerNow', function (this: FastifyRequest) {
    return callerNow(this, options);
  });
  const table: AccessRow[] = [];
  server.decorate('accessTable', table);
  server.addHook('onRoute', (route) => {
    refuseUndeclared(route);
    const { url, method, config } = route;
    for (const one of [method].flat()) table.push({ method: one, url, ...ruleOf(config ?? {}) });
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.isOperational) done();
    else authorize(request, options).then(() => done(), done);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    try {
      if (request.caller) keepWithinBounds(request, request.caller, options.limits);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function refuseUndeclared({ method, url, config }: RouteOptions): void {
  if (config?.isOperational || config?.access) return;
  throw new Error(
    `${[method].flat().join(', ')} ${url} does not say what its callers need: add @Access(...).`,
  );
}

async function authorize(request: FastifyRequest, options: AccessOptions): Promise<void> {
  const mustSay = options.isRequired || isHosted(request);
  const caller = mustSay ? await identify(request, options) : ANYONE;
  request.caller = caller;
  const { scope, level, reveals } = ruleOf(request.routeOptions.config);
  if (scope) requireScope(caller, scope);
  if (reveals) requireScope(caller, 'read');
  if (level === 'deployment' && caller.bounds.orgId !== undefined) {
    throw forbidden(
      'forbidden',
      'This is about the whole deployment; use a key that belongs to no organization.',
    );
  }
  if (level === 'organization' && caller.bounds.projectId !== undefined) {
    throw forbidden(
      'forbidden',
      'This is about the organization as a whole; use a key that is bound to none of its projects.',
    );
  }
  if (isHosted(request) && caller.bounds.orgId === undefined) {
    throw forbidden(
      'forbidden',
      'This key belongs to no organization; use one that does, or the paths below /api/v2.',
    );
  }
}

/**
 * Who sends a request: whose token it has, or whose its session is.
 * Only who sends a token is counted as a failure: to send none tries nothing.
 * @throws AppError `unauthenticated`, `rate_limit_exceeded`
 */
export async function identify(
  request: FastifyRequest,
  { tokens, failed, sessions }: Pick<AccessOptions, 'tokens' | 'failed' | 'sessions'>,
): Promise<Caller> {
  const token = await requestToken(request, sessions);
  if (token === undefined) throw unknownCaller();
  const network = clientNetwork(request.clientAddress);
  const caller = await tokens.verify(token, network);
  if (caller) return caller;
  throw failed.refuse(network);
}

async function callerNow(
  request: FastifyRequest,
  { tokens, sessions }: Pick<AccessOptions, 'tokens' | 'sessions'>,
): Promise<Caller | undefined> {
  if (!isKnown(request.caller)) return request.caller;
  try {
    const token = await requestToken(request, sessions);
    return token === undefined ? undefined : await tokens.verify(token, clientNetwork(request.clientAddress));
  } catch {
    // while it cannot be found out, no key can be ended either
    return request.caller;
  }
}

function keepWithinBounds(request: FastifyRequest, caller: Caller, limits: WireLimits): void {
  const { level, replaces } = ruleOf(request.routeOptions.config);
  if (isHosted(request)) {
    if (replaces) for (const fields of [request.body, request.query]) refuseOtherTenant(caller, fields);
    request.body = hostedBody(caller, request.body);
  }
  if (!isKnown(caller) || level !== 'project') return;
  const isBounded = caller.bounds.orgId !== undefined;
  request.tenant = namedTenant(request, limits, isBounded);
  if (isBounded && request.tenant) requireTenant(caller, request.tenant);
}

/** @throws AppError `invalid_request` when it has to be known and cannot be read */
function namedTenant(
  { method, query, body, routeOptions: { config } }: FastifyRequest,
  limits: WireLimits,
  mustBe: boolean,
): Tenant | undefined {
  const isInQuery = BODILESS.has(method) || config.tenantFrom === 'query';
  const fields = isInQuery ? query : body;
  try {
    return tenantOf(readBody(TenantBody, isJsonObject(fields) ? tenantFields(fields) : fields, limits));
  } catch (error) {
    // a caller without bounds may name what it likes: the handler will say everything that is wrong with it
    if (!mustBe && error instanceof AppError) return undefined;
    throw error;
  }
}

const tenantFields = ({ org_id, project_id }: JsonObject): object => ({ org_id, project_id });
