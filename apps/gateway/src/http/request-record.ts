import { currentTraceId, type Logger, type Metrics } from '@loci/platform';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isKnown } from '../access/caller.js';
import { countRequest } from './measured.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The slug of the failure that the request was answered with. */
    failureCode: string | undefined;
  }
  interface FastifyContextConfig {
    /** Serves the operator: needs no token, is never turned away, and is logged at debug. */
    isOperational?: boolean;
    /**
     * Operational, and it shows what is done here: without authentication under the names of other routes alone, and by its
     * path as it is written, which proxies close to clients.
     */
    showsUse?: boolean;
    /** Its answer goes on as long as its client listens: how long that is says nothing about us. */
    isEndless?: boolean;
  }
}

/** What other servers call "client closed request". */
export const ABORTED = 499;

/** Counts, measures and logs each request once, when its answer is out or its client is gone. */
export function recordRequests(server: FastifyInstance, metrics: Metrics, logger: Logger): void {
  const labels = ['method', 'path', 'status'] as const;
  const total = metrics.counter('http_requests_total', 'Requests by route and status.', labels);
  const seconds = metrics.histogram('http_request_duration_seconds', 'Time to answer a request.', labels);
  server.decorateRequest('failureCode', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    const traceId = currentTraceId();
    reply.raw.once('close', () => {
      const elapsedMs = performance.now() - startedAt - request.heldMs;
      const labelled = labelsOf(request, reply);
      total.inc(labelled);
      if (!request.routeOptions.config.isEndless) seconds.observe(labelled, elapsedMs / 1000);
      countRequest(metrics, labelled.method, labelled.path, {
        seconds: elapsedMs / 1000,
        status: labelled.status,
      });
      const measured = { ...labelled, duration_ms: Math.round(elapsedMs * 10) / 10 };
      log(logger, request, traceId === undefined ? measured : { ...measured, trace_id: traceId });
    });
    done();
  });
}

const labelsOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  path: request.routeOptions.url ?? 'unknown',
  status: reply.raw.writableEnded ? reply.statusCode : ABORTED,
});

function log(logger: Logger, request: FastifyRequest, measured: object): void {
  const { caller } = request;
  const fields = {
    request_id: request.id,
    ...measured,
    client_address: request.clientAddress,
    ...(isKnown(caller) && { actor_kind: caller.kind, actor: caller.id, actor_org_id: caller.bounds.orgId }),
    ...(request.heldMs >= 1 && { held_ms: Math.round(request.heldMs) }),
    ...(request.failureCode !== undefined && { code: request.failureCode }),
    ...(request.headers['content-length'] !== undefined && {
      request_bytes: Number(request.headers['content-length']),
    }),
  };
  if (request.routeOptions.config.isOperational) logger.debug('request', fields);
  else logger.info('request', fields);
}
