import 'reflect-metadata';
import { startServers } from '@loci/runtime';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureScale, type Scale, type ScaleResult } from './scale/scale-run.js';

/**
 * `npm run bench:scale [-- --scales 10000x1,100000x1,1000000x1000 --quantized both|no|yes]`: how searches and adds grow
 * with the number of episodes. A scale is episodes x projects; texts and vectors are synthetic.
 */
const { values } = parseArgs({
  options: {
    scales: { type: 'string', default: '10000x1,100000x1,1000000x1000' },
    quantized: { type: 'string', default: 'both' },
    out: { type: 'string', default: 'bench/results' },
  },
});

const quantizations = values.quantized === 'both' ? [false, true] : [values.quantized === 'yes'];
const scales = values.scales.split(',').flatMap((text): Scale[] => {
  const [episodes, projects = 1] = text.split('x').map(Number);
  if (!episodes || !projects)
    throw new Error(`"${text}" is no scale: write episodes x projects, like 10000x1.`);
  return quantizations.map((quantized) => ({ episodes, projects, quantized }));
});

async function measureAlone(scale: Scale): Promise<ScaleResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-scale-'));
  const postgres = await startServers({ dataDir, durability: 'durable', only: ['postgres'] });
  try {
    return await measureScale(scale, postgres.databaseUrl);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const HEADER = [
  'episodes',
  'projects',
  'quantized',
  'search p50',
  'p99 ms',
  'add p50',
  'p99 ms',
  'Qdrant MB per million',
];

const rowOf = ({ episodes, projects, quantized, search, add, qdrantMbPerMillion }: ScaleResult): string[] => [
  String(episodes),
  String(projects),
  quantized ? 'yes' : 'no',
  ...[search.p50Ms, search.p99Ms, add.p50Ms, add.p99Ms].map((ms) => ms.toFixed(1)),
  qdrantMbPerMillion.toFixed(0),
];

const printRow = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const results: ScaleResult[] = [];
printRow(HEADER);
printRow(HEADER.map(() => '---'));
for (const scale of scales) {
  const result = await measureAlone(scale);
  results.push(result);
  printRow(rowOf(result));
}
await mkdir(values.out, { recursive: true });
await writeFile(join(values.out, 'scale.json'), JSON.stringify(results, undefined, 2));
