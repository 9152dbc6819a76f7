import 'reflect-metadata';
import { startServers } from '@loci/runtime';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparisonOf, DEFINITIONS, HEADER, rowOf } from './scale/scale-report.js';
import { readScaleOptions } from './scale/scale-options.js';
import { keepResult, knownResults } from './scale/scale-results.js';
import { measureScale, type Scale, type ScaleOptions, type ScaleResult } from './scale/scale-run.js';

/** `npm run bench:scale`: how searches, adds and Qdrant's memory grow with the number of episodes. */
async function measureAlone(scale: Scale, options: ScaleOptions): Promise<ScaleResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-scale-'));
  const postgres = await startServers({ dataDir, durability: 'durable', only: ['postgres'] });
  try {
    return await measureScale(scale, postgres.databaseUrl, options);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const sayRow = (cells: readonly string[]): void => say(`| ${cells.join(' | ')} |`);

const { scales, out, ...options } = readScaleOptions(process.argv.slice(2));
say(DEFINITIONS.map((definition) => `- ${definition}`).join('\n'));
for (const scale of scales) {
  const result = await measureAlone(scale, options);
  await keepResult(out, result);
  sayRow(rowOf(result));
}
const results = await knownResults(out);
say('');
sayRow(HEADER);
sayRow(HEADER.map(() => '---'));
for (const result of results) sayRow(rowOf(result));
say(`\n${comparisonOf(results).join('\n')}`);
