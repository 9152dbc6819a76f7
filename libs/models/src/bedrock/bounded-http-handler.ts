import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { Readable } from 'node:stream';
import { type EgressGuard } from '../egress/egress-guard.js';

/** The SDK's own HTTP, with replies that end at the limits of the guard. */
export function boundedHttpHandler(guard: EgressGuard, options: NodeHttpHandlerOptions): NodeHttpHandler {
  const handler = new NodeHttpHandler(options);
  const handle = handler.handle.bind(handler);
  handler.handle = async (...request) => {
    const { response } = await handle(...request);
    const body: unknown = response.body;
    if (body instanceof Readable) response.body = guard.bound(body);
    return { response };
  };
  return handler;
}
