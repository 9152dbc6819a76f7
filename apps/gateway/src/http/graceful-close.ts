import { type FastifyInstance } from 'fastify';

/**
 * Once the server closes, tells each client that is still served to hang up: a connection that stays open for its next
 * request would delay the shutdown for as long as connections are kept alive.
 */
export function hangUpOnClose(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
}
