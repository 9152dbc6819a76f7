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

/** Reads lines until the last; one that breaks off is asked for again behind the last line that arrived. */
export async function* exportedLines(
  open: (after: string | undefined) => Promise<ReadableStream<Uint8Array> | null | undefined>,
): AsyncGenerator<ExportLine, void> {
  let after: string | undefined;
  for (let stalled = 0; ; stalled += 1) {
    const stream = await open(after);
    try {
      // a part of a line, where the stream broke off, is no JSON, and comes again
      for await (const text of stream ? textLines(stream) : []) {
        if (!text) continue;
        const line = JSON.parse(text) as ExportLine;
        yield line;
        stalled = 0;
        after = line.cursor ?? after;
        if (line.kind === 'end') return;
      }
    } catch (error) {
      if (stalled >= MAX_STALLED || isAbort(error)) throw error;
    }
    if (stalled >= MAX_STALLED) throw new Error('The export keeps breaking off at the same line.');
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
