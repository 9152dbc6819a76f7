import { afterEach, expect, test } from '@jest/globals';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Leftovers } from '../../test/fixtures.js';
import { DataFolder } from '../folder/data-folder.js';
import { credentialsOf } from './credentials.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

async function openFolder(): Promise<DataFolder> {
  const folder = await DataFolder.open(await leftovers.folder());
  leftovers.add(() => folder.close());
  return folder;
}

const fileOf = (folder: DataFolder): string => join(folder.path, 'credentials.json');

test('they are made once, differ from each other and from those of another folder, and are for their owner alone', async () => {
  const folder = await openFolder();
  const made = await credentialsOf(folder);
  expect(await credentialsOf(folder)).toEqual(made);
  const all = [...Object.values(made), ...Object.values(await credentialsOf(await openFolder()))];
  expect(new Set(all).size).toBe(22);
  for (const secret of all) expect(secret).toMatch(/^k[0-9a-f]{48}$/);
  expect((await stat(fileOf(folder))).mode & 0o777).toBe(0o600);
});

test('what an earlier version did not know is added, and the rest kept', async () => {
  const folder = await openFolder();
  const { qdrant, ...others } = await credentialsOf(folder);
  await writeFile(fileOf(folder), JSON.stringify(others));
  const again = await credentialsOf(folder);
  expect(again).toMatchObject(others);
  expect(again.qdrant).not.toBe(qdrant);
});

test.each(['{"qdrant": ', '{"qdrant": "two words"}', '[]x', 'null'])(
  'a file with other content (%s) is refused, and left as it is',
  async (text) => {
    const folder = await openFolder();
    await writeFile(fileOf(folder), text);
    await expect(credentialsOf(folder)).rejects.toMatchObject({ code: 'folder_unusable' });
    await rm(fileOf(folder));
    expect(Object.keys(await credentialsOf(folder))).toHaveLength(11);
  },
);
