import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileDigest, foldersDigest } from './file-digest.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'loci-digest-'));
  await mkdir(join(root, 'bin'));
  await mkdir(join(root, 'lib', 'deep'), { recursive: true });
  await writeFile(join(root, 'bin', 'program'), 'abc');
  await writeFile(join(root, 'lib', 'deep', 'library.so'), 'def');
});

afterEach(() => rm(root, { recursive: true }));

const digest = (): Promise<string> => foldersDigest(root, ['bin', 'lib']);

test('of a file is its SHA-256', async () => {
  expect(await fileDigest(join(root, 'bin', 'program'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test.each<[string, () => Promise<unknown>]>([
  ['a byte of a library', () => appendFile(join(root, 'lib', 'deep', 'library.so'), 'x')],
  ['a further file', () => writeFile(join(root, 'lib', 'preloaded.so'), 'x')],
  ['another name', () => rename(join(root, 'bin', 'program'), join(root, 'bin', 'other'))],
  ['a missing file', () => rm(join(root, 'lib', 'deep', 'library.so'))],
])('of folders changes with %s', async (_, change) => {
  const before = await digest();
  await change();
  expect(await digest()).not.toBe(before);
});

test('of folders changes with a link that leads elsewhere', async () => {
  const before = await digest();
  await symlink('/etc/hostname', join(root, 'lib', 'libpq.so.5'));
  expect(await digest()).not.toBe(before);
});

test('of folders does not change with a link within them', async () => {
  const before = await digest();
  await symlink('program', join(root, 'bin', 'link'));
  expect(await digest()).toBe(before);
});
