import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Loci } from '@loci/testing';

export interface LogLine {
  /** The process that wrote it. */
  readonly from: string;
  readonly level: string;
  readonly text: string;
}

/** What the processes of Loci itself logged so far; the servers write other formats. */
export async function logLines(loci: Loci): Promise<LogLine[]> {
  const folder = join(loci.dataDir, 'logs');
  const files = await readdir(folder);
  const lines = files.map(async (from) => {
    const texts = (await readFile(join(folder, from), 'utf8')).split('\n');
    return texts.flatMap((text) => {
      const level = /"level":"(\w+)"/.exec(text)?.[1];
      return level === undefined ? [] : [{ from, level, text }];
    });
  });
  return (await Promise.all(lines)).flat();
}
