import { type Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type FloodingNetworks } from './flooding-networks.js';

/** More than clients that send the next request before they have an answer ever have under way. */
const MAX_UNANSWERED = 16;

/** A socket whose requests Node parses. The parser is not part of Node's documented interface: it may not be there. */
interface ParsedSocket extends Socket {
  readonly parser?: { pause?(): void } | null;
}

/**
 * Hangs up on a connection with too many requests without an answer: each answer waits in our memory until the client takes
 * those before it, and the parser hands over all requests of a packet at once, more than a thousand. A request that is
 * refused before its caller is known is the last of its connection: who sends many of them pays for a connection each time.
 */
export function limitPipelining(server: FastifyInstance, flooding: FloodingNetworks): void {
  const unanswered = new WeakMap<Socket, number>();
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MAX_UNANSWERED) {
      if (count === MAX_UNANSWERED + 1) flooding.note(socket.remoteAddress);
      leaveUnanswered(reply, socket);
      socket.destroy();
      return;
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
  server.addHook('onSend', ({ caller }, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && !caller;
    if (isRefused) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** The rest of the packet is not parsed. */
function leaveUnanswered(reply: FastifyReply, socket: ParsedSocket): void {
  reply.hijack();
  socket.parser?.pause?.();
}
