import { getHeapStatistics } from 'node:v8';

/**
 * What a body costs while it is worked on, in multiples of its bytes: the bytes, the text, what is parsed, the request to
 * the service as a text and as bytes. Measured on Node 20 with bodies of 4 MiB, all of it alive at once: 5 for texts in
 * ASCII, 8 for texts that need two bytes a character, 6 for metadata of 60 keys.
 */
export const HANDLING_FACTOR = 8;

/** What a request costs besides its body: itself, and an answer of an ordinary size. */
export const REQUEST_BYTES = 64 * 1024;

/**
 * What an answer takes until its client has it: Node keeps the text beside its bytes. A text with characters beyond Latin 1
 * has two bytes for each unit in memory, and up to three in UTF-8.
 */
export function heldBytes(answer: string | Buffer): number {
  if (typeof answer !== 'string') return answer.length;
  const bytes = Buffer.byteLength(answer);
  return bytes + (bytes === answer.length ? bytes : 2 * answer.length);
}

/** The rest is for the program itself, garbage that is not collected yet, and answers. */
const SHARE_OF_PROCESS = 0.5;

/** Of the budget: bodies that are on their way or wait for their turn, once. */
const SHARE_OF_RECEIVING = 0.25;

export interface MemoryBudget {
  /** For bodies that are received or wait. */
  readonly receivingBytes: number;
  /** For requests that are worked on. One that needs more than there is runs alone. */
  readonly handlingBytes: number;
}

/**
 * The memory that requests may take.
 * @param settingBytes 0 = half of what the process may have: the limit of its heap (`--max-old-space-size`), or what its
 * container may have, if that is less
 * @param leastBytes a body of this size always fits into one share
 */
export function memoryBudget(
  settingBytes: number,
  leastBytes: number,
  processBytes = processLimit(),
): MemoryBudget {
  const budget = settingBytes > 0 ? settingBytes : processBytes * SHARE_OF_PROCESS;
  return {
    receivingBytes: Math.max(leastBytes, Math.floor(budget * SHARE_OF_RECEIVING)),
    handlingBytes: Math.max(1, Math.floor(budget * (1 - SHARE_OF_RECEIVING))),
  };
}

function processLimit(): number {
  const heapBytes = getHeapStatistics().heap_size_limit;
  const containerBytes = process.constrainedMemory();
  return containerBytes > 0 ? Math.min(heapBytes, containerBytes) : heapBytes;
}
