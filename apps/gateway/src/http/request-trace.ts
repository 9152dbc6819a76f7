import { markFailed, openSpan, RequestContext, SpanKind, within } from '@loci/platform';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Runs every request of a client in a span that ends when its answer is out or its client is gone. It goes on with the
 * trace that the client named, and is the first span of a new one otherwise.
 */
export function traceRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const span = request.routeOptions.config.isOperational ? undefined : open(request);
    if (!span) {
      done();
      return;
    }
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (request.failureCode !== undefined) span.setAttribute('loci.error_code', request.failureCode);
      if (hasFailed(reply)) markFailed(span, undefined);
      span.end();
    });
    within(span, () => done());
  });
}

function open(request: FastifyRequest) {
  const route = request.routeOptions.url ?? 'unknown';
  return openSpan(`${request.method} ${route}`, {
    kind: SpanKind.SERVER,
    parent: RequestContext.current()?.traceparent,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'loci.request_id': request.id,
    },
  });
}

/** A client's mistake is no failure of ours, and neither is a client that went away. */
const hasFailed = (reply: FastifyReply): boolean => reply.raw.writableEnded && reply.statusCode >= 500;
