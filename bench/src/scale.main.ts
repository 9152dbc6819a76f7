import 'reflect-metadata';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparisonOf, DEFINITIONS, detailsOf, HEADER, rowOf } from './scale/scale-report.js';
import { readScaleOptions, type ScaleArguments } from './scale/scale-options.js';
import { keepResult, knownResults } from './scale/scale-results.js';
import { type Scale } from './scale/scale.js';
import { type ScaleResult } from './scale/scale-result.js';
import { fillFolder, measureFolder } from './scale/scale-run.js';

/** `npm run bench:scale`: how searches, adds, memory and what goes on at rest grow with the number of episodes. */
async function measure(
  scale: Scale,
  { keep, isFilledOnly, ...options }: ScaleArguments,
): Promise<ScaleResult | undefined> {
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'loci-scale-')));
  try {
    await fillFolder(folder, scale);
    return isFilledOnly ? undefined : await measureFolder(folder, scale, options);
  } finally {
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const sayRow = (cells: readonly string[]): void => say(`| ${cells.join(' | ')} |`);

const options = readScaleOptions(process.argv.slice(2));
const { scales, out } = options;
say(DEFINITIONS.map((definition) => `- ${definition}`).join('\n'));
for (const scale of scales) {
  const result = await measure(scale, options);
  if (!result) continue;
  await keepResult(out, result);
  sayRow(rowOf(result));
  say(detailsOf(result).join('\n'));
}
const results = await knownResults(out);
say('');
sayRow(HEADER);
sayRow(HEADER.map(() => '---'));
for (const result of results) sayRow(rowOf(result));
say(`\n${comparisonOf(results).join('\n')}`);
