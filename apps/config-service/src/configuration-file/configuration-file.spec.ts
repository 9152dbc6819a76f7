import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationFile } from './configuration-file.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-file-'));
  path = join(folder, 'loci.yml');
});

afterEach(() => rm(folder, { recursive: true }));

test('a file that is not there reads as nothing, and is created for its owner alone', async () => {
  const file = new ConfigurationFile(path);
  expect(await file.read()).toBeUndefined();
  expect(await file.write('a: 1\n')).toBe(true);
  expect(await file.read()).toBe('a: 1\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a write replaces the file, keeps its mode, and leaves nothing else behind', async () => {
  await writeFile(path, 'old');
  await chmod(path, 0o640);
  const before = await stat(path);
  expect(await new ConfigurationFile(path).write('new')).toBe(true);
  const after = await stat(path);
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(after.mode).toBe(before.mode);
  expect(after.ino).not.toBe(before.ino);
  expect(await readdir(folder)).toEqual(['loci.yml']);
});

test('a link stays a link to the file that is written', async () => {
  await writeFile(join(folder, 'real.yml'), 'old');
  await symlink('real.yml', path);
  await new ConfigurationFile(path).write('new');
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'real.yml'), 'utf8')).toBe('new');
});

test('a read-only file is left as it is', async () => {
  await writeFile(path, 'old');
  await chmod(path, 0o444);
  expect(await new ConfigurationFile(path).write('new')).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('old');
});
