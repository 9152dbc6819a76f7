import 'reflect-metadata';
import { FakeModels, Loci } from '@loci/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneAndBuild, ended } from './first-answer/clone.js';
import { FRAMEWORKS, linesOf, programOf } from './first-answer/frameworks.js';
import { isOnThisMachine, secondsOf } from './first-answer/run-framework.js';

/**
 * `npm run bench:first-answer`: seconds from the start of the product on an empty data folder until a program has stored
 * something and has been given it back, for each framework, with the snippet of its document and a stand-in for the model.
 * All use one product, one after the other, so that each figure is its start and that program alone. `--from-clone` adds
 * `git clone` (of this folder, what is committed), `npm ci` and the build, in a temporary folder.
 */
const { values: options } = parseArgs({
  options: {
    'from-clone': { type: 'boolean', default: false },
    // seconds of what was done before the start: the run in the clone is told by the run that made it
    'seconds-before': { type: 'string', default: '0' },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

async function measureClone(): Promise<void> {
  const { folder, steps, remove } = await cloneAndBuild();
  try {
    for (const { name, seconds } of steps) say(`${name}: ${seconds.toFixed(1)} s`);
    const before = steps.reduce((sum, { seconds }) => sum + seconds, 0);
    const program = [process.execPath, 'bench/dist/first-answer.main.js'];
    await ended([...program, '--seconds-before', String(before)], folder);
  } finally {
    await remove();
  }
}

async function measure(secondsBefore: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
  const models = await FakeModels.start();
  const begunMs = performance.now();
  const loci = await Loci.start({ dataDir, sweeps: 'as delivered' });
  try {
    const startSeconds = (performance.now() - begunMs) / 1_000;
    say(`start of the product: ${startSeconds.toFixed(1)} s\n`);
    const since = secondsBefore > 0 ? ['s from the clone'] : [];
    const header = ['framework', 'lines', 's of the program', 's from the start', ...since];
    say(`${row(header)}\n${row(header.map(() => '---'))}`);
    for (const framework of FRAMEWORKS) {
      const cells = [framework.name, String(linesOf(programOf(framework)))];
      if (await isOnThisMachine(framework)) {
        const seconds = await secondsOf(framework, loci.url, models);
        const sums = [seconds, startSeconds + seconds, secondsBefore + startSeconds + seconds];
        say(row([...cells, ...sums.slice(0, 2 + since.length).map((sum) => sum.toFixed(1))]));
      } else say(row([...cells, 'not run', ...since.map(() => ''), `no ${framework.language} here`]));
    }
  } finally {
    await loci.stop();
    await models.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await (options['from-clone'] ? measureClone() : measure(Number(options['seconds-before'])));
