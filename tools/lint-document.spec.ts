import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const SLOW = { timeout: 240_000 };

test(
  'the API document follows the recommended rules of Spectral',
  () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['tools/lint-document.mjs'], {
      encoding: 'utf8',
      ...SLOW,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  },
  SLOW.timeout,
);
