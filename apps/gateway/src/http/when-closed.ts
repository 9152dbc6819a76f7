import { type FastifyReply } from 'fastify';

/**
 * Calls once the client has the answer or is gone. A handler may begin after that, and nothing tells it twice.
 * @param then called at once where it is so already
 */
export function whenClosed({ raw }: FastifyReply, then: () => void): void {
  if (raw.closed) then();
  else raw.once('close', then);
}
