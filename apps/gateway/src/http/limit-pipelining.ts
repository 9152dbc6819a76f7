import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';

/** More than clients that send the next request before they have an answer ever have under way. */
const MAX_UNANSWERED = 32;

/**
 * Hangs up on a connection with too many requests without an answer: each answer waits in our memory until the client takes
 * those before it, and the parser hands over all requests of a packet at once.
 */
export function limitPipelining(server: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MAX_UNANSWERED) {
      reply.hijack();
      socket.destroy();
      return;
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}
