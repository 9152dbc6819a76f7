import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const DRILL = 'bench/dist/drill.main.js';
const run = promisify(execFile);

test('the scaling drill kills processes under load, and the ledger is right in the end', async () => {
  const { stdout } = await run(process.execPath, [DRILL, '--short']);
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('-- SIGKILL to '))).toEqual([
    '-- SIGKILL to semantic-worker-1',
    '-- SIGKILL to gateway-1',
  ]);
  expect(lines.at(-1)).toBe(
    'The ledger is right: every acknowledged message is there once, and was ingested once.',
  );
}, 300_000);

test('a drill that makes no sense is not begun', async () => {
  await expect(run(process.execPath, [DRILL, '--workers', '9'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm run drill:scale'),
  });
});
