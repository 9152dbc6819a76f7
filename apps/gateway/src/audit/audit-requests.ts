import { type AccessScope, type AuditRecord, MAX_AUDITED_RESOURCES } from '@loci/contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { isKnown, type KnownCaller } from '../access/caller.js';
import { isJsonObject } from '../wire/reading/collections.js';
import { type AuditTrail } from './audit-trail.js';
import { isId, namedIds } from './audited-ids.js';

/** What a request does. */
export interface Act {
  readonly operation: string;
  readonly access: AccessScope;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Ids that neither its path nor its fields name: of what it created, for one. */
    furtherIds: readonly string[] | undefined;
    /** What a request does whose route alone does not say. */
    act: Act | undefined;
    /** Of the record that was kept before the request was worked on. */
    auditId: string | undefined;
    /** Whether the record is kept with the outcome already. */
    isAudited: boolean;
  }
}

/** What other servers call "client closed request". */
const ABORTED = 499;

/**
 * Notes every request that writes or administers, whatever became of it. What is not `isAuditedLater` is kept before it is
 * worked on, and again with its outcome before its answer leaves: if the gateway dies in between, the record stays without
 * an outcome. Everything else is noted once the answer is out or the client gone.
 */
export function auditRequests(server: FastifyInstance, trail: Pick<AuditTrail, 'note' | 'keep'>): void {
  server.decorateRequest('furtherIds', undefined);
  server.decorateRequest('act', undefined);
  server.decorateRequest('auditId', undefined);
  server.decorateRequest('isAudited', false);
  server.addHook('preHandler', async (request) => {
    const { caller } = request;
    if (!isKnown(caller) || !isAuditedFirst(request)) return;
    const record = recordOf(request, caller, undefined);
    await trail.keep(record);
    request.auditId = record.id;
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (isAudited(request)) request.furtherIds = namedIds(payload);
    done(null, payload);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request;
    if (request.auditId !== undefined && isKnown(caller)) {
      // what cannot be kept now is noted when the request is over
      request.isAudited = await trail.keep(recordOf(request, caller, reply.statusCode)).then(
        () => true,
        () => false,
      );
    }
    return payload;
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { caller } = request;
      if (!isKnown(caller) || !isAudited(request) || request.isAudited) return;
      trail.note(recordOf(request, caller, reply.raw.writableEnded ? reply.statusCode : ABORTED));
    });
    done();
  });
}

/** Without authentication nobody is known, and there is nobody to hold to account. */
function isAudited({ caller, act, routeOptions: { config } }: FastifyRequest): boolean {
  const access = act?.access ?? config.access;
  return isKnown(caller) && (access === 'write' || access === 'admin');
}

/** Reading never is: nothing is done that could go unnoticed. */
const isAuditedFirst = (request: FastifyRequest): boolean =>
  isAudited(request) && request.method !== 'GET' && !request.routeOptions.config.isAuditedLater;

function recordOf(request: FastifyRequest, caller: KnownCaller, status: number | undefined): AuditRecord {
  const { tenant, body, params, furtherIds = [] } = request;
  const named = isJsonObject(body) ? body : {};
  const ids = [...namedIds(params), ...namedIds(body), ...furtherIds];
  return {
    id: request.auditId ?? uuidv7(),
    at: new Date().toISOString(),
    requestId: request.id,
    actorKind: caller.kind,
    actor: caller.id,
    operation: request.act?.operation ?? `${request.method} ${request.routeOptions.url ?? ''}`,
    orgId: tenant?.orgId ?? caller.bounds.orgId ?? idOf(named['org_id']),
    projectId: tenant?.projectId ?? caller.bounds.projectId ?? idOf(named['project_id']),
    resources: [...new Set(ids)].slice(0, MAX_AUDITED_RESOURCES),
    status,
    code: request.failureCode,
  };
}

/** Of a request that was refused before its tenant was read: it may be anything. */
const idOf = (value: unknown): string | undefined => (isId(value) ? value : undefined);
