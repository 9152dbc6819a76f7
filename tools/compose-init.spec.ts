import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS, writeSecrets } from './compose-init.mjs';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-compose-'));
});

afterEach(() => rm(folder, { recursive: true }));

const written = (): Promise<string> => readFile(join(folder, '.env'), 'utf8');

test('every secret is made once, differs from the others, and only its owner reads it', async () => {
  expect(await writeSecrets(folder)).toEqual(Object.keys(SECRETS));
  const first = await written();
  const values = first
    .trim()
    .split('\n')
    .map((line) => line.slice(line.indexOf('=') + 1));
  expect(new Set(values).size).toBe(Object.keys(SECRETS).length);
  for (const value of values) expect(value).toMatch(/^[a-z][\w:+/=-]{30,}$/);
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  expect(await writeSecrets(folder)).toEqual([]);
  expect(await written()).toBe(first);
});

test('what is there stays, and what is missing is added', async () => {
  await writeFile(join(folder, '.env'), 'LOG_LEVEL=debug\nQDRANT_API_KEY=mine');
  expect(await writeSecrets(folder)).not.toContain('QDRANT_API_KEY');
  expect(await written()).toMatch(/^LOG_LEVEL=debug\nQDRANT_API_KEY=mine\nNATS_GATEWAY_PASSWORD=k/);
});

test.each(['12345', '2e5', 'true1 false', '$2a$10$abcdefghijklmnopqrstuv', '"quoted"', 'a,b'])(
  'a password of NATS that its configuration would misread is refused: %s',
  async (value) => {
    const before = `NATS_GATEWAY_PASSWORD=${value}\n`;
    await writeFile(join(folder, '.env'), before);
    await expect(writeSecrets(folder)).rejects.toThrow('NATS_GATEWAY_PASSWORD in .env would be read');
    expect(await written()).toBe(before);
  },
);
