import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { processorMs } from './processor-time.js';

const WORKED_MS = 200;

/** A parent with one child that works until SIGUSR2 ends it; the parent goes on and prints `ended`. */
const PARENT = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  child.once('exit', () => process.stdout.write('ended'));
  process.once('SIGUSR2', () => child.kill('SIGKILL'));
  process.stdout.write('started');
  setInterval(() => {}, 1_000);
`;

const whereThereIsProc = existsSync('/proc/self/stat') ? test : test.skip;

whereThereIsProc('the time of a child counts, while it works and after it ended', async () => {
  // a parent of its own: what else this process started may end at any moment, and its time with it
  const parent = spawn(process.execPath, ['-e', PARENT], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = -(parent.pid ?? NaN);
  let printed = '';
  parent.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const measured = async () => (await processorMs(parent.pid ?? 0)) ?? 0;
  try {
    await eventually(() => printed === 'started', { what: 'the child works' });
    const before = await measured();
    await eventually(async () => (await measured()) - before > WORKED_MS, { what: 'its time counts' });

    const worked = await measured();
    parent.kill('SIGUSR2');
    await eventually(() => printed === 'startedended', { what: 'the child ended' });
    expect(await measured()).toBeGreaterThanOrEqual(worked);
  } finally {
    process.kill(group, 'SIGKILL');
  }
});
