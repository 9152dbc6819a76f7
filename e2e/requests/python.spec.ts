import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { snippetsIn } from '../harness/snippets.js';
import { product } from './product.js';

const run = promisify(execFile);

const CLIENT = 'clients/python';

/** 3.10 or newer. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;

const skipped = (what: string, tests: () => void): void =>
  describe.skip('no Python 3.10 was found', () => describe(what, tests));

/** Skipped where there is no Python, which the summary of the tests says. */
const withPython = hasPython ? describe : skipped;

let loci: Loci;

async function python(...given: string[]): Promise<string> {
  const env = {
    ...process.env,
    PYTHONPATH: `${CLIENT}/src`,
    PYTHONDONTWRITEBYTECODE: '1',
    LOCI_URL: loci.url,
  };
  try {
    return (await run('python3', given, { env, timeout: 60_000 })).stdout;
  } catch (error) {
    throw new Error(`python3 ${given[0] ?? ''} failed: ${(error as { stderr: string }).stderr}`, {
      cause: error,
    });
  }
}

withPython('the Python client', () => {
  beforeAll(async () => {
    loci = await product();
  });

  test.each(['tests', 'tests/live'])('passes its own %s', async (folder) => {
    await python('-m', 'unittest', 'discover', '-s', `${CLIENT}/${folder}`);
  });

  test('does what its README shows, and prints what it says', async () => {
    const { code, printed } = snippetsIn(
      `${CLIENT}/README.md`,
      { 'http://127.0.0.1:8080': loci.url },
      'python',
    );
    const lines = (await python('-c', code)).split('\n').filter((line) => line !== '');
    expect(lines).toEqual(printed);
  });
});
