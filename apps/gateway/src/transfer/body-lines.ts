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
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const keep = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > maxBytes) throw lineTooLarge(number, maxBytes);
    parts.push(part);
  };
  const take = (): BodyLine => {
    const line = { number, bytes: Buffer.concat(parts) };
    [parts, bytes, number] = [[], 0, number + 1];
    return line;
  };
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const start = from;
      from = end + 1;
      // a body of line ends alone would otherwise take a second of the processor for each few megabytes
      if (start === end && bytes === 0) {
        number += 1;
        continue;
      }
      keep(chunk.subarray(start, end));
      const line = take();
      if (!isBlank(line.bytes)) yield line;
    }
    keep(chunk.subarray(from));
  }
  const last = take();
  if (!isBlank(last.bytes)) yield last;
}

/** White space only: what JSON leaves out of account. */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const lineTooLarge = (number: number, maxBytes: number): Error =>
  tooLarge('body_too_large', `Line ${number} has more than ${maxBytes} bytes; shorten its content.`);
