import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { unknownCaller } from '../access/failed-callers.js';
import { type Capacity } from './capacity.js';
import { type Lease } from './lease.js';
import { HANDLING_FACTOR, heldBytes, REQUEST_BYTES } from './memory-budget.js';
import { ownerOf } from './owner.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request takes of the capacity of the gateway. Those of the operator take nothing. */
    lease: Lease | undefined;
  }
}

/** A handler that has not answered so long after its client went away never will. */
export const ABANDONED_MS = 60_000;

/** A caller who was known so short a while ago is not asked about again. */
const CONFIRMED_MS = 250;

/**
 * Gives every request a lease once its caller is known. Its first turn comes when its body is there, and ends when its
 * answer is; the memory of the answer is given back when the client has it. Who hangs up ends only the waiting: work that
 * has begun costs its turn to the end. Of a client that is gone before that, nothing is done.
 */
export function openLeases(server: FastifyInstance, capacity: Capacity): void {
  server.decorateRequest('lease', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOperational) {
      done();
      return;
    }
    // gone while it was found out who it is: nothing would say so again, and what it takes from here on it would keep
    if (request.raw.destroyed) {
      reply.hijack();
      return;
    }
    const lease = capacity.lease(ownerOf(request), {
      route: request.routeOptions.url,
      isNewcomer: request.caller?.wasLookedUp,
      confirm: confirmation(request),
    });
    request.lease = lease;
    reply.raw.once('close', () => {
      lease.close();
      if (lease.isRunning) setTimeout(() => lease.end(), ABANDONED_MS).unref();
    });
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const { lease } = request;
    if (reply.raw.closed && !lease?.isHeld) lease?.end();
    else lease?.answer(bytesOf(payload));
    done(null, payload);
  });
}

/** A key may end while a body arrives, while its request waits, and between the pages of an export. */
function confirmation(request: FastifyRequest): () => Promise<void> {
  let confirmedAt = performance.now();
  return async () => {
    if (performance.now() - confirmedAt < CONFIRMED_MS) return;
    if (!(await request.callerNow())) throw unknownCaller();
    confirmedAt = performance.now();
  };
}

/** Requests without a body wait for their turn here; before whatever else is done for them. */
export function takeTurns(server: FastifyInstance, maxBodyBytes: number): void {
  server.addHook('preHandler', ({ lease, routeOptions: { config } }, _reply, done) => {
    if (!lease || lease.hasBegun) {
      done();
      return;
    }
    // a line may be as long as a body
    const bytes = REQUEST_BYTES + (config.takesLines ? maxBodyBytes * HANDLING_FACTOR : 0);
    lease.begin(bytes).then(() => done(), done);
  });
}

/** A stream is answered page by page. */
function bytesOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? heldBytes(payload) : REQUEST_BYTES;
}
