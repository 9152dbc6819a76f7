import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../harness/client.js';
import { blocksIn, snippetsIn } from '../harness/snippets.js';
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

  test.each([`${CLIENT}/README.md`, 'docs/guide/README.md'])('%s: prints what it says', async (document) => {
    const { code, printed } = snippetsIn(document, { 'http://127.0.0.1:8080': loci.url }, 'python');
    const lines = (await python('-c', code)).split('\n').filter((line) => line !== '');
    expect(lines).toEqual(printed);
  });

  test('imports an export with the commands of the guide', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loci-import-'));
    const exported = join(folder, 'export.json');
    await writeFile(exported, JSON.stringify([{ id: 'm-1', memory: 'I sleep well.', user_id: 'ann' }]));
    const org = `acme-${randomUUID()}`;
    try {
      const printed: string[] = [];
      const lines = blocksIn('docs/guide/moving.md', 'sh').flatMap((block) => block.split('\n'));
      for (const command of lines.filter((line) => line.startsWith('python '))) {
        const given = command.replace(' acme ', ` ${org} `).replace('export.json', exported).split(' ');
        printed.push(await python(...given.slice(1), '--url', loci.url));
      }
      expect(printed).toEqual([
        'Would add 1 messages, and skip 0 entries.\n',
        'Added 1 messages, and skipped 0 entries.\n',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
    const client = new Client(loci.url, { org_id: org, project_id: 'travel-agent' });
    expect(await client.count()).toBe(1);
  });
});
