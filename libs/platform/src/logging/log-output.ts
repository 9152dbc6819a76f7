import { writeSync } from 'node:fs';
import { type DestinationStream } from 'pino';

/** What waits for room at most: later lines are dropped until there is some. */
const MAX_WAITING_BYTES = 256 * 1024;

const STDOUT = 1;

/**
 * Standard output, each line at once, so that the last words of a process that is killed are there. A line that cannot
 * be written, as on a full disk, waits for the next one. Pino's own stream ends the process then, and waits at its exit
 * until there is room.
 */
export class LogOutput implements DestinationStream {
  private waiting: Buffer = Buffer.alloc(0);

  /** @param put writes some of the bytes, and returns how many */
  constructor(private readonly put: (bytes: Buffer) => number = (bytes) => writeSync(STDOUT, bytes)) {}

  /** Never fails: what a log tells of must not end by it. */
  write(line: string): void {
    if (this.waiting.length < MAX_WAITING_BYTES) {
      this.waiting = Buffer.concat([this.waiting, Buffer.from(line)]);
    }
    try {
      while (this.waiting.length > 0) this.waiting = this.waiting.subarray(this.put(this.waiting));
    } catch {
      // there may be room for it with the next line
    }
  }
}
