import { Readable } from 'node:stream';

/** Parts of an answer, one after the other: an async generator, for one. */
export interface Parts {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** No more is asked for: the client is gone. */
  return(value: undefined): Promise<unknown>;
}

/**
 * A stream that asks for the next of its texts or bytes when the one before was taken over by the socket. `Readable.from`
 * asks for one or more while that still waits.
 */
export function streamOf(parts: Parts): Readable {
  const stream: Readable = new Readable({
    highWaterMark: 0,
    read: () => {
      parts.next().then(
        ({ done, value }) => stream.push(done ? null : value),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy: (error, done) => {
      parts.return(undefined).then(
        () => done(error),
        () => done(error),
      );
    },
  });
  return stream;
}
