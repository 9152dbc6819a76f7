import { type AccessScope, type AuditRecord, MAX_AUDITED_RESOURCES } from '@loci/contracts';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { isKnown, type KnownCaller } from '../access/caller.js';
import { isJsonObject } from '../wire/reading/collections.js';
import { type AuditTrail } from './audit-trail.js';
import { namedIds } from './audited-ids.js';

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
  }
}

/** What other servers call "client closed request". */
const ABORTED = 499;

/** Notes every request that writes or administers, whatever became of it, once its answer is out or its client gone. */
export function auditRequests(server: FastifyInstance, trail: Pick<AuditTrail, 'note'>): void {
  server.decorateRequest('furtherIds', undefined);
  server.decorateRequest('act', undefined);
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (isAudited(request)) request.furtherIds = namedIds(payload);
    done(null, payload);
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { caller } = request;
      if (isKnown(caller) && isAudited(request)) trail.note(recordOf(request, reply, caller));
    });
    done();
  });
}

/** Without authentication nobody is known, and there is nobody to hold to account. */
function isAudited({ caller, act, routeOptions: { config } }: FastifyRequest): boolean {
  const access = act?.access ?? config.access;
  return isKnown(caller) && (access === 'write' || access === 'admin');
}

function recordOf(request: FastifyRequest, reply: FastifyReply, caller: KnownCaller): AuditRecord {
  const { tenant, body, params, furtherIds = [] } = request;
  const named = isJsonObject(body) ? body : {};
  const ids = [...namedIds(params), ...namedIds(body), ...furtherIds];
  return {
    id: uuidv7(),
    at: new Date().toISOString(),
    requestId: request.id,
    actorKind: caller.kind,
    actor: caller.id,
    operation: request.act?.operation ?? `${request.method} ${request.routeOptions.url ?? ''}`,
    orgId: tenant?.orgId ?? caller.bounds.orgId ?? textOf(named['org_id']),
    projectId: tenant?.projectId ?? caller.bounds.projectId ?? textOf(named['project_id']),
    resources: [...new Set(ids)].slice(0, MAX_AUDITED_RESOURCES),
    status: reply.raw.writableEnded ? reply.statusCode : ABORTED,
    code: request.failureCode,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
