import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { eventually } from '@loci/testing';
import { processorMs } from './processor-time.js';

test('the time of a child counts, while it works and after it ended', async () => {
  const before = (await processorMs(process.pid)) ?? NaN;
  const work = 'const end = process.cpuUsage().user + 4e5; while (process.cpuUsage().user < end);';
  const child = spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually(async () => ((await processorMs(child.pid ?? 0)) ?? 0) > 100, { what: 'the child works' });
  await ended;
  expect(((await processorMs(process.pid)) ?? NaN) - before).toBeGreaterThanOrEqual(400);
});
