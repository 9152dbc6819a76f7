import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { processorMs } from './processor-time.js';

const WORKED_MS = 200;

const whereThereIsProc = existsSync('/proc/self/stat') ? test : test.skip;

/** What the children of this process took: the rest of it and its children is its own. */
async function childrenMs(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return ((await processorMs(process.pid)) ?? NaN) - (user + system) / 1_000;
}

whereThereIsProc('the time of a child counts, while it works and after it ended', async () => {
  const before = await childrenMs();
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await eventually(async () => ((await processorMs(child.pid ?? 0)) ?? 0) > WORKED_MS, {
      what: 'the child works',
    });
    expect((await childrenMs()) - before).toBeGreaterThan(WORKED_MS / 2);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  expect((await childrenMs()) - before).toBeGreaterThan(WORKED_MS / 2);
});
