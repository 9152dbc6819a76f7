import { type AccessBounds, type Tenant } from '@loci/contracts';
import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify';
import { isKnown } from '../access/caller.js';
import { ABANDONED_MS } from '../capacity/take-turns.js';
import { ABORTED } from '../http/request-record.js';
import { type AuditTrail } from './audit-trail.js';
import { auditedOperation, type AuditedOperation, type OperationSubject } from './audited-operation.js';
import { type AuditRule, auditRuleOf, routeOperation } from './audited-operations.js';
import { isId, namedIds } from './audited-ids.js';
import { type LevelsOfThings } from './levels-of-things.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, as AUDITED_OPERATIONS calls it, and its rule. */
    auditTable: ReadonlyMap<string, AuditRule>;
  }
  interface FastifyRequest {
    /** Ids that neither its path nor its fields name: of what it created, for one. */
    furtherIds: readonly string[] | undefined;
    /** Undefined where no authentication is required, and on routes that are never audited unless they were refused. */
    audited: AuditedOperation | undefined;
    /** Whom the thing belongs to that its path names; undefined where it names none, or none that there is. */
    thingLevel: AccessBounds | undefined;
    /** Its client is gone while its handler works: the outcome is recorded when that is done. */
    isAbandoned: boolean;
  }
}

/**
 * Audits every request of a known caller as AUDITED_OPERATIONS demands, whatever became of it. If the gateway dies
 * between the two records of an operation, the first one stays without an outcome.
 */
export function auditRequests(
  server: FastifyInstance,
  trail: Pick<AuditTrail, 'note' | 'keep'>,
  levels: Pick<LevelsOfThings, 'of'>,
): void {
  const table = new Map<string, AuditRule>();
  server.decorate('auditTable', table);
  server.decorateRequest('furtherIds', undefined);
  server.decorateRequest('audited', undefined);
  server.decorateRequest('thingLevel', undefined);
  server.decorateRequest('isAbandoned', false);
  server.addHook('onRoute', (route) => {
    for (const name of operationsOf(route)) table.set(name, auditRuleOf(name));
  });
  // most requests wait for no record: a hook that returns a promise would cost each of them
  server.addHook('preHandler', (request, _reply, done) => {
    const operation = operationOf(request, trail);
    if (operation?.isRecordedFirst) begin(request, operation, levels).then(() => done(), done);
    else done();
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (request.audited) request.furtherIds = namedIds(payload);
    done(null, payload);
  });
  const close = (request: FastifyRequest, status: number): void =>
    operationOf(request, trail, status)?.close(subjectOf(request), status, request.failureCode);
  const closeAbandoned = (request: FastifyRequest, status: number): void => {
    if (request.isAbandoned) close(request, status);
    request.isAbandoned = false;
  };
  server.addHook('onSend', (request, reply, payload, done) => {
    const { audited, failureCode } = request;
    closeAbandoned(request, reply.statusCode);
    if (request.routeOptions.config.isEndless) close(request, reply.statusCode);
    if (!audited?.isRecordedFirst) done(null, payload);
    else void audited.end(subjectOf(request), reply.statusCode, failureCode).then(() => done(null, payload));
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const isAnswered = reply.raw.writableEnded;
      request.isAbandoned = !isAnswered && request.lease?.isRunning === true;
      if (!request.isAbandoned) close(request, isAnswered ? reply.statusCode : ABORTED);
      else setTimeout(() => closeAbandoned(request, ABORTED), ABANDONED_MS).unref();
    });
    done();
  });
}

const operationsOf = ({ config, method, url }: RouteOptions): string[] =>
  config?.isOperational ? [] : [method].flat().map((one) => routeOperation(one, url));

/**
 * The operation that a request is; of one that was refused before its handler, made when it is over.
 * @param status of the answer, once there is one: only then a read may have to be audited, for whom it asked about
 */
function operationOf(
  request: FastifyRequest,
  trail: Pick<AuditTrail, 'note' | 'keep'>,
  status = 0,
): AuditedOperation | undefined {
  const { method, is404, caller } = request;
  const { url, config } = request.routeOptions;
  if (!isKnown(caller) || is404 || url === undefined || config.isOperational) return undefined;
  const rule = auditRuleOf(routeOperation(method, url));
  if (rule === 'never' && status < 400) return undefined;
  request.audited ??= auditedOperation(`${method} ${url}`, rule, request, trail);
  return request.audited;
}

async function begin(
  request: FastifyRequest,
  operation: AuditedOperation,
  levels: Pick<LevelsOfThings, 'of'>,
): Promise<void> {
  const { caller, params, routeOptions } = request;
  const { thing } = routeOptions.config;
  const [id] = namedIds(params);
  if (thing && caller && id !== undefined) request.thingLevel = await levels.of(thing, id, caller.bounds);
  await operation.begin(subjectOf(request));
}

function subjectOf(request: FastifyRequest): OperationSubject {
  const { tenant, thingLevel, caller, body, query, params, furtherIds = [] } = request;
  return {
    tenant: tenant ?? thingLevel ?? claimedTenant([query, body], caller?.bounds),
    ids: [...namedIds(params), ...furtherIds, ...namedIds(body)],
  };
}

/** Of a request that was refused before its tenant was read: it may be anything. What the caller is bound to goes before. */
function claimedTenant(fields: readonly unknown[], bounds: AccessBounds = {}): Partial<Tenant> {
  const { org_id, project_id } = Object.assign({}, ...fields.filter(isJsonObject)) as JsonObject;
  const orgId = bounds.orgId ?? (isId(org_id) ? org_id : undefined);
  const projectId = bounds.projectId ?? (isId(project_id) ? project_id : undefined);
  return { ...(orgId !== undefined && { orgId }), ...(projectId !== undefined && { projectId }) };
}
