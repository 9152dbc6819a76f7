import { backoffMs, type Waiting, WAITING } from '../transport/pause.js';
import { textLines } from './text-lines.js';

/** A line of an export; what it holds besides depends on its `kind`. */
export interface ExportLine {
  readonly kind: string;
  /** Where to go on behind this line. */
  readonly cursor?: string;
  readonly [key: string]: unknown;
}

/** Attempts without a new line, until the failure is thrown. */
const MAX_STALLED = 5;

/**
 * Reads lines until the last; one that breaks off is asked for again behind the last line that arrived. Each attempt begins
 * with the line of the project, which is given once.
 * @throws LociError when it is refused, or breaks off again and again before it gets on
 */
export async function* exportedLines(
  open: (after: string | undefined) => Promise<ReadableStream<Uint8Array> | null | undefined>,
  signal: AbortSignal = new AbortController().signal,
  waiting: Waiting = WAITING,
): AsyncGenerator<ExportLine, void> {
  let after: string | undefined;
  let hasBegun = false;
  for (let stalled = 0; ; stalled += 1) {
    const stream = await open(after);
    try {
      // a part of a line, where the stream broke off, is no JSON, and comes again
      for await (const text of stream ? textLines(stream) : []) {
        if (!text) continue;
        const line = JSON.parse(text) as ExportLine;
        const isHeader = line.kind === 'project';
        if (!(isHeader && hasBegun)) yield line;
        if (line.kind === 'end') return;
        hasBegun ||= isHeader;
        if (line.cursor === undefined || line.cursor === after) continue;
        [after, stalled] = [line.cursor, 0];
      }
    } catch (error) {
      signal.throwIfAborted();
      if (stalled >= MAX_STALLED) throw error;
    }
    if (stalled >= MAX_STALLED) throw new Error('The export keeps breaking off at the same line.');
    await waiting.pause(backoffMs(stalled, waiting.random()), signal);
  }
}
