import { rateLimited } from '@loci/contracts';
import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';

/** Turns requests away while `max` of them are being worked on. Those of the operator always come through. */
export function limitInFlight(server: FastifyInstance, metrics: Metrics, max: number): void {
  let inFlight = 0;
  metrics.gauge('http_requests_in_flight', 'Requests that are being worked on.', [], (gauge) =>
    gauge.set(inFlight),
  );
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOperational) {
      done();
      return;
    }
    if (inFlight >= max) {
      done(overloaded());
      return;
    }
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
}

const overloaded = (): Error =>
  rateLimited('overloaded', 'Too many requests at once; try again in a second.', { retryAfterSeconds: 1 });
