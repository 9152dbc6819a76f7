import { type Lease } from '../capacity/lease.js';
import { type Parts } from '../http/stream-of.js';

/**
 * The frames of a stream of events, which count from when they are there until the client has taken them: the tools that
 * write them wait for no client.
 */
export function waitingFrames(frames: ReadableStream<Uint8Array>, lease: Pick<Lease, 'keep'>): Parts {
  let waitingBytes = 0;
  let sentBytes = 0;
  const change = (bytes: number): void => {
    waitingBytes += bytes;
    lease.keep(waitingBytes);
  };
  const counted = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (frame, controller) => {
        change(frame.length);
        controller.enqueue(frame);
      },
    },
    undefined,
    // takes each frame at once
    { highWaterMark: Infinity },
  );
  const reader = frames.pipeThrough(counted).getReader();
  return {
    next: async () => {
      change(-sentBytes);
      const { done, value } = await reader.read();
      sentBytes = value?.length ?? 0;
      return { done, value };
    },
    return: () => reader.cancel(),
  };
}
