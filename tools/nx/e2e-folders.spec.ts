import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { foldersOf } from './e2e-folders.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'loci-suites-'));
});
afterEach(() => rm(root, { recursive: true }));

async function foldersAmong(files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return foldersOf(join(root, 'access.e2e.spec.ts'), root);
}

test('a suite depends on its own folder and on what all share, not on that of another', async () => {
  const folders = await foldersAmong({
    'access.e2e.spec.ts': `import './access/keys.spec.js';`,
    'access/keys.spec.ts': `import { client } from '../harness/client.js';`,
    'harness/client.ts': '',
    'console/page.ts': '',
  });
  expect(folders).toEqual(['access', 'harness']);
});

test('a folder counts that another one leads to, in an import of several lines, too', async () => {
  const folders = await foldersAmong({
    'access.e2e.spec.ts': `import {\n  requests,\n} from './answers/requests.js';\nimport { x } from '../apps/x.js';`,
    'answers/requests.ts': `import { type Row } from '../tables/row.js';`,
    'tables/row.ts': `import { y } from '../../apps/y.js';`,
    'harness/client.ts': '',
  });
  expect(folders).toEqual(['answers', 'harness', 'tables']);
});

test('each suite of the product names the folders that its files import from', () => {
  expect(foldersOf('e2e/console.e2e.spec.ts')).toEqual(['console', 'harness']);
  expect(foldersOf('e2e/access.e2e.spec.ts')).toEqual(['access', 'answers', 'harness']);
  expect(foldersOf('e2e/pooler.e2e.spec.ts')).toEqual(['harness']);
});
