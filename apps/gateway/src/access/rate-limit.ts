import rateLimit from '@fastify/rate-limit';
import { rateLimited } from '@loci/contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { clientNetwork } from './client-address.js';
import { isKnown } from './caller.js';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts further requests of the caller of a request, which came with it.
     * @throws AppError `rate_limit_exceeded`
     */
    countRequests: (request: FastifyRequest, count: number) => Promise<void>;
  }
}

const WINDOW_MS = 60_000;

/** Callers that are counted at once; the least recent ones are forgotten first. */
const MAX_CALLERS = 20_000;

/**
 * Refuses callers that send more than `perMinute` requests to a gateway. Each key is counted, and where no
 * authentication is required each client address. 0 = no limit.
 */
export async function limitRates(server: FastifyInstance, perMinute: number): Promise<void> {
  if (perMinute === 0) {
    server.decorate('countRequests', () => Promise.resolve());
    return;
  }
  const exceeded = (ttlMs: number): Error =>
    rateLimited('rate_limit_exceeded', `More than ${perMinute} requests in a minute; slow down.`, {
      retryAfterSeconds: Math.max(1, ttlMs / 1000),
    });
  await server.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    cache: MAX_CALLERS,
    keyGenerator: countedAs,
    allowList: ({ routeOptions }) => routeOptions.config.isOperational === true,
    errorResponseBuilder: (_request, { ttl }) => exceeded(ttl),
  });
  const countOne = server.createRateLimit();
  server.decorate('countRequests', async (request, count) => {
    for (let counted = 0; counted < count; counted += 1) {
      const limit = await countOne(request);
      if (!limit.isAllowed && limit.isExceeded) throw exceeded(limit.ttl);
    }
  });
}

/** Users of different organizations may have one name. */
const countedAs = (request: FastifyRequest): string =>
  isKnown(request.caller)
    ? `${request.caller.kind} ${request.caller.bounds.orgId ?? ''}/${request.caller.id}`
    : `address ${clientNetwork(request.clientAddress)}`;
