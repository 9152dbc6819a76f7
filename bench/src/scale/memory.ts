import { readFile } from 'node:fs/promises';

/** Of a process, in MB. */
export interface Memory {
  /** What cannot be given up when memory is short. */
  readonly ownMb: number;
  /** Pages of files that it maps and that are in memory at the moment. */
  readonly mappedMb: number;
}

/** Linux only. */
export async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { ownMb: mb('RssAnon'), mappedMb: mb('RssFile') };
}
