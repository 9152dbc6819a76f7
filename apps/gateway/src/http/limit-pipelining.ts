import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { type FloodingNetworks } from './flooding-networks.js';

/** More than clients that send the next request before they have an answer ever have under way. */
const MAX_UNANSWERED = 16;

/**
 * Hangs up on a connection with too many requests without an answer: each answer waits in our memory until the client takes
 * those before it, and the parser hands over all requests of a packet at once, more than a thousand. A request that is
 * refused before its caller is known is the last of its connection: what follows it is not answered.
 *
 * When a connection ends, Node says so of the answer that it is at. Those behind it are closed here, or whatever waits for
 * their end would wait for ever.
 */
export function limitPipelining(server: FastifyInstance, flooding: FloodingNetworks): void {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  const refused = new WeakSet<Socket>();
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const answers = unanswered.get(socket) ?? begin(socket);
    answers.add(reply.raw);
    const count = answers.size;
    if (count > MAX_UNANSWERED || refused.has(socket)) {
      reply.hijack();
      if (count === MAX_UNANSWERED + 1) flooding.note(socket.remoteAddress);
      if (count > MAX_UNANSWERED) socket.destroy();
      return;
    }
    reply.raw.once('close', () => answers.delete(reply.raw));
    done();
  });
  server.addHook('onSend', ({ caller, raw: { socket } }, reply, payload, done) => {
    if (reply.statusCode >= 400 && !caller) {
      reply.header('connection', 'close');
      refused.add(socket);
    }
    done(null, payload);
  });

  function begin(socket: Socket): Set<ServerResponse> {
    const answers = new Set<ServerResponse>();
    unanswered.set(socket, answers);
    // behind Node, which closes those that it knows of
    socket.once('close', () => setImmediate(() => answers.forEach(close)));
    return answers;
  }
}

function close(answer: ServerResponse): void {
  answer.destroyed = true;
  // what its getter `closed` reads
  Reflect.set(answer, '_closed', true);
  answer.emit('close');
}
