import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { adminKey, adminKeyPath } from './admin-key.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-admin-key-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('a data folder has one key however often it is asked for, and only its owner can read it', async () => {
  const key = await adminKey(dataDir);
  expect(key).toMatch(/^loci_admin_[\w-]{43}$/);
  expect(await adminKey(dataDir)).toBe(key);
  expect((await stat(adminKeyPath(dataDir))).mode & 0o777).toBe(0o600);
});

test('another folder has another key', async () => {
  const other = await mkdtemp(join(tmpdir(), 'loci-admin-key-'));
  expect(await adminKey(other)).not.toBe(await adminKey(dataDir));
  await rm(other, { recursive: true, force: true });
});
