import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';

/**
 * Serves requests whose `Expect` is not the usual `100-continue` as if they had none: RFC 9110,
 * section 10.1.1, allows it. Node would refuse them before any of our steps, so that no record would tell of them.
 */
export function ignoreOtherExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
