import { pipeline, type Readable, Transform } from 'node:stream';
import { TransformStream } from 'node:stream/web';
import { Response } from 'undici';
import { JsonStructure } from './json-structure.js';

/** What one reply of a provider may take, whatever its status is. */
export interface ReplyBounds {
  /** Bytes of the body as it is read, decompressed. */
  readonly maxBytes: number;
  /** Until its last byte, connecting included. */
  readonly timeoutMs: number;
}

/** A reply was given up because it is larger, or made of more, than any that makes sense. */
export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';

  /** @param excess what the reply has too much of, in words that follow "answers with" */
  constructor(readonly excess: string) {
    super(`The reply was given up: ${excess}.`);
  }
}

/** The response with a body that fails at the first limit; what is left of it is not read, and its connection is closed. */
export function boundedResponse(response: Response, { maxBytes }: ReplyBounds): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const assertWithin = limitOf(maxBytes);
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      assertWithin(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(limiter), { status, statusText, headers });
}

/** As `boundedResponse`, for a stream of Node, which also ends at the timeout. */
export function boundedStream(body: Readable, { maxBytes, timeoutMs }: ReplyBounds): Readable {
  const assertWithin = limitOf(maxBytes);
  const limiter = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      try {
        assertWithin(chunk);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const timer = setTimeout(() => limiter.destroy(timedOut()), timeoutMs).unref();
  // the reader of the limiter hears of every error
  pipeline(body, limiter, () => clearTimeout(timer));
  return limiter;
}

const timedOut = (): Error => Object.assign(new Error('The reply took too long.'), { code: 'ETIMEDOUT' });

/** Bytes of a reply to a probe. A vector of 4,096 numbers in decimal digits takes a tenth of it. */
export const MAX_PROBE_REPLY_BYTES = 1024 * 1024;

const MOST = `(MODEL_MAX_REPLY_BYTES says how many a reply may have, ${MAX_PROBE_REPLY_BYTES} at most when it answers a probe)`;

function limitOf(maxBytes: number): (chunk: Uint8Array) => void {
  const structure = new JsonStructure();
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ReplyTooLargeError(`more than ${maxBytes} bytes ${MOST}`);
    const excess = structure.excessIn(chunk);
    if (excess !== undefined) throw new ReplyTooLargeError(`JSON that ${excess}`);
  };
}
