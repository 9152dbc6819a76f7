import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { type FloodingNetworks } from './flooding-networks.js';

/** More than clients that send the next request before they have an answer ever have under way. */
const MAX_UNANSWERED = 16;

/**
 * Hangs up on a connection with too many requests without an answer: each answer waits in our memory until the client takes
 * those before it, and the parser hands over all requests of a packet at once, more than a thousand. A request that is
 * refused before its caller is known is the last of its connection: what follows it is not answered.
 */
export function limitPipelining(server: FastifyInstance, flooding: FloodingNetworks): void {
  const unanswered = new WeakMap<Socket, number>();
  const refused = new WeakSet<Socket>();
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MAX_UNANSWERED || refused.has(socket)) {
      reply.hijack();
      if (count === MAX_UNANSWERED + 1) flooding.note(socket.remoteAddress);
      if (count > MAX_UNANSWERED) socket.destroy();
      return;
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
  server.addHook('onSend', ({ caller, raw: { socket } }, reply, payload, done) => {
    if (reply.statusCode >= 400 && !caller) {
      reply.header('connection', 'close');
      refused.add(socket);
    }
    done(null, payload);
  });
}
