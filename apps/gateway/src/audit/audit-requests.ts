import { type AuditRecord, MAX_AUDITED_RESOURCES } from '@loci/contracts';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { isKnown, type KnownCaller } from '../access/caller.js';
import { isJsonObject } from '../wire/reading/collections.js';
import { type AuditTrail } from './audit-trail.js';
import { namedIds } from './audited-ids.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the answer says that the request created. */
    createdIds: readonly string[] | undefined;
  }
}

/** What other servers call "client closed request". */
const ABORTED = 499;

/** Notes every request that writes or administers, whatever became of it, once its answer is out or its client gone. */
export function auditRequests(server: FastifyInstance, trail: Pick<AuditTrail, 'note'>): void {
  server.decorateRequest('createdIds', undefined);
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (isAudited(request)) request.createdIds = namedIds(payload);
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
const isAudited = ({ caller, routeOptions: { config } }: FastifyRequest): boolean =>
  isKnown(caller) && (config.access === 'write' || config.access === 'admin');

function recordOf(request: FastifyRequest, reply: FastifyReply, caller: KnownCaller): AuditRecord {
  const { tenant, body, params, createdIds = [] } = request;
  const named = isJsonObject(body) ? body : {};
  const ids = [...namedIds(params), ...namedIds(body), ...createdIds];
  return {
    id: uuidv7(),
    at: new Date().toISOString(),
    requestId: request.id,
    actorKind: caller.kind,
    actor: caller.id,
    operation: `${request.method} ${request.routeOptions.url ?? ''}`,
    orgId: tenant?.orgId ?? caller.bounds.orgId ?? textOf(named['org_id']),
    projectId: tenant?.projectId ?? caller.bounds.projectId ?? textOf(named['project_id']),
    resources: [...new Set(ids)].slice(0, MAX_AUDITED_RESOURCES),
    status: reply.raw.writableEnded ? reply.statusCode : ABORTED,
    code: request.failureCode,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
