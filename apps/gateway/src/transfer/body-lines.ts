import { tooLarge } from '@loci/contracts';

const NEWLINE = 0x0a;

/** One line of a body, without its end. */
export interface BodyLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * The lines of a body as they arrive; empty ones are left out. Never keeps more than one line and one chunk in memory.
 * @throws AppError `body_too_large` for a line of more than `maxBytes`
 */
export async function* bodyLines(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<BodyLine> {
  let number = 1;
  const begun = new BegunLine();
  const withinLimit = (bytes: number): void => {
    if (bytes > maxBytes) throw lineTooLarge(number, maxBytes);
  };
  for await (const chunk of body) {
    let from = 0;
    do {
      // a body of blank lines alone would otherwise take a second of the processor for each few megabytes
      for (let at = from; begun.length === 0 && isBlank(chunk[at]); at += 1) {
        if (chunk[at] !== NEWLINE) continue;
        withinLimit(at - from);
        [from, number] = [at + 1, number + 1];
      }
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      withinLimit(begun.length + part.length);
      from += part.length + 1;
      if (end === -1) begun.add(part, maxBytes);
      else {
        const bytes = begun.length === 0 ? part : begun.add(part, maxBytes).take();
        if (!bytes.every(isBlank)) yield { number, bytes };
        number += 1;
      }
    } while (from < chunk.length);
  }
  const last = begun.take();
  if (!last.every(isBlank)) yield { number, bytes: last };
}

/** A line whose end has not arrived. A piece may be a view of a large buffer of the socket: none is kept. */
class BegunLine {
  private room: Uint8Array = NOTHING;
  length = 0;

  /** @param maxBytes how long the line may become */
  add(part: Uint8Array, maxBytes: number): this {
    const length = this.length + part.length;
    if (length > this.room.length) {
      const wider = Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, maxBytes)));
      wider.set(this.room.subarray(0, this.length));
      this.room = wider;
    }
    this.room.set(part, this.length);
    this.length = length;
    return this;
  }

  /** The line as it is now; then another one begins. */
  take(): Uint8Array {
    const line = this.room.subarray(0, this.length);
    [this.room, this.length] = [NOTHING, 0];
    return line;
  }
}

const NOTHING = Buffer.alloc(0);

/** What JSON leaves out of account. */
const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === NEWLINE || byte === 0x09 || byte === 0x0d;

const lineTooLarge = (number: number, maxBytes: number): Error =>
  tooLarge('body_too_large', `Line ${number} has more than ${maxBytes} bytes; shorten its content.`);
