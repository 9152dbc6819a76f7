import { type ExportLine, textLines } from '@loci/client';

/** Characters that become a part of the file, which the browser need not keep in memory then. */
const PART_CHARS = 4_000_000;

/**
 * The lines of an export as the file that an import reads.
 * @param onLines is told how many there are so far
 */
export async function fileOf(
  exported: Iterable<ExportLine> | AsyncIterable<ExportLine>,
  onLines: (lines: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let lines = 0;
  let text = '';
  for await (const line of exported) {
    text += `${JSON.stringify(line)}\n`;
    lines += 1;
    if (text.length < PART_CHARS) continue;
    parts.push(new Blob([text]));
    text = '';
    onLines(lines);
  }
  return new Blob([...parts, text], { type: 'application/x-ndjson' });
}

/**
 * The lines of a file that an export wrote.
 * @param onRead is told how many bytes of it were read so far
 * @throws Error that names the first line that is none
 */
export async function* linesOf(file: Blob, onRead: (bytes: number) => void): AsyncGenerator<ExportLine> {
  let [bytes, number] = [0, 0];
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      onRead(bytes);
      controller.enqueue(part);
    },
  });
  for await (const text of textLines(file.stream().pipeThrough(counted))) {
    number += 1;
    if (text.trim() !== '') yield lineOf(text, number);
  }
}

function lineOf(text: string, number: number): ExportLine {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null && 'kind' in line && typeof line.kind === 'string')
      return { ...line, kind: line.kind };
  } catch {
    // said below
  }
  throw new Error(`Line ${number} is none of an export: choose a file that an export of a project wrote.`);
}
