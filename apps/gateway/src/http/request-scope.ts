import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { RequestContext } from '@loci/platform';
import { type FastifyInstance } from 'fastify';
import { clientAddress } from '../access/client-address.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** As `clientAddress` had it when the request came: a connection that has closed knows it no longer. */
    clientAddress: string;
  }
}

/** Each step of a request that has something to give back listens for the end of its answer; Node warns of more than ten. */
const MAX_LISTENERS = 20;

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The id that the client gave the request, if it is a sane one, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Runs every request in a context of its own, with its id and its deadline, tells the client the id, and notes its address. */
export function openRequestScope(server: FastifyInstance, timeoutMs: number): void {
  server.decorateRequest('clientAddress', '');
  server.addHook('onRequest', (request, reply, done) => {
    request.clientAddress = clientAddress(request);
    reply.raw.setMaxListeners(MAX_LISTENERS);
    const { traceparent } = request.headers;
    const scope = {
      requestId: request.id,
      deadlineMs: Date.now() + timeoutMs,
      takeReply: (bytes: number) => request.lease?.takeReply(bytes),
      ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) && { traceparent }),
    };
    reply.header('x-request-id', request.id);
    RequestContext.run(scope, () => done());
  });
}
