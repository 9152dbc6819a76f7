import { type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  isJSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

const EVERY_MS = 1000;

/** A token is sent back with each notification: what is longer gets none, which the protocol allows. */
const MAX_TOKEN_LENGTH = 256;

type Asked = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/**
 * Tells the client each second that its call is still at work, if it asked for progress: `progress` is the seconds since
 * the call came, its wait for a turn included. A call that is answered sooner tells nothing.
 */
export async function tellingProgress<T>(
  { _meta, sendNotification }: Asked,
  title: string,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = _meta?.progressToken;
  if (!isTold(progressToken)) return work();
  let progress = 0;
  const timer = setInterval(() => {
    progress += EVERY_MS / 1000;
    const params = { progressToken, progress, message: `${title}: at work for ${progress} s` };
    // a client that has gone asks for nothing any more
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Whether the body of a request calls a tool whose progress is told, so that its answer has to be a stream of events. */
export const asksForProgress = (body: unknown): boolean =>
  [body]
    .flat()
    .some(
      (message) =>
        isJSONRPCRequest(message) &&
        message.method === 'tools/call' &&
        isTold(message.params?._meta?.progressToken),
    );

const isTold = (token: string | number | undefined): token is string | number =>
  token !== undefined && String(token).length <= MAX_TOKEN_LENGTH;
