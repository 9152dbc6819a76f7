import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Scale } from './scale.js';
import { type ScaleResult } from './scale-result.js';

const NAME = 'scale.json';

const keyOf = ({ episodes, projects, searched, quantized, dimensions = 0 }: Scale): string =>
  [episodes, projects, searched, quantized, dimensions].join('x');

/** Every scale that was measured so far, the smallest first: a long run can be done in pieces. */
export async function knownResults(folder: string): Promise<ScaleResult[]> {
  const json = await readFile(join(folder, NAME), 'utf8').catch(() => '[]');
  return JSON.parse(json) as ScaleResult[];
}

/** Keeps a result, instead of the one of an earlier run of this scale. */
export async function keepResult(folder: string, result: ScaleResult): Promise<void> {
  const others = (await knownResults(folder)).filter((other) => keyOf(other) !== keyOf(result));
  const results = [...others, result].sort(
    (a, b) => Number(a.quantized) - Number(b.quantized) || a.episodes - b.episodes || a.projects - b.projects,
  );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, NAME), JSON.stringify(results, undefined, 2));
}
