import { afterEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Leftovers } from '../../test/fixtures.js';
import { DataFolder, FOLDER_VERSION } from './data-folder.js';
import { startTimeOf } from './process-identity.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

async function open(path: string): Promise<DataFolder> {
  const folder = await DataFolder.open(path);
  leftovers.add(() => folder.close());
  return folder;
}

async function withLock(holder: object | string): Promise<string> {
  const path = await leftovers.folder();
  await mkdir(join(path, 'run'));
  const text = typeof holder === 'string' ? holder : JSON.stringify(holder);
  await writeFile(join(path, 'run', 'lock.json'), text);
  return path;
}

test('a new folder has a directory for everything and is closed to other users', async () => {
  const path = join(await leftovers.folder(), 'deep', 'data');
  const folder = await open(path);
  expect((await readdir(path)).sort()).toEqual(['logs', 'nats', 'postgres', 'qdrant', 'run', 'version.json']);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(folder.part('nats')).toBe(join(path, 'nats'));
});

test('a folder behind a symbolic link has its real path, as the processes have that work in it', async () => {
  const path = join(await leftovers.folder(), 'real');
  (await open(path)).close();
  const link = join(await leftovers.folder(), 'link');
  await symlink(path, link);
  expect((await open(link)).path).toBe(path);
});

test('a folder that was closed opens again, with what is in it', async () => {
  const path = await leftovers.folder();
  const first = await open(path);
  await writeFile(join(first.part('nats'), 'kept'), 'yes');
  first.close();
  expect(await readdir(path + '/run')).toEqual([]);
  const second = await open(path);
  expect(await readFile(join(second.part('nats'), 'kept'), 'utf8')).toBe('yes');
});

test('a second instance on the same folder is refused with a sentence that names the first', async () => {
  const path = await leftovers.folder();
  await open(path);
  await expect(DataFolder.open(path)).rejects.toMatchObject({
    code: 'folder_locked',
    message: `The data folder ${path} is in use by process ${process.pid}: stop that process, or name another folder.`,
  });
});

test('of many that open a folder with a stale lock at once exactly one gets it', async () => {
  const path = await withLock({ pid: 2 ** 30, startTime: 'long ago' });
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => open(path)));
  const refused = attempts.filter((attempt) => attempt.status === 'rejected');
  expect(refused).toHaveLength(7);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'folder_locked' });
});

test('the lock of a process that was killed is recovered', async () => {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(holder, 'spawn');
  const pid = holder.pid ?? 0;
  const path = await withLock({ pid, startTime: await startTimeOf(pid) });
  await expect(DataFolder.open(path)).rejects.toThrow(`in use by process ${pid}`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await open(path);
});

test('a lock is stale when its pid now belongs to a process that started at another time', async () => {
  await open(await withLock({ pid: process.ppid, startTime: 'another' }));
});

test('a lock file that was cut short is stale', async () => {
  await open(await withLock(''));
});

test.each([
  ['an older format', { ...FOLDER_VERSION, format: 0 }, `data format 0, needed ${FOLDER_VERSION.format}`],
  [
    'another PostgreSQL',
    { ...FOLDER_VERSION, servers: { ...FOLDER_VERSION.servers, postgres: '16' } },
    'postgres 16, needed 17',
  ],
  ['something unreadable', 'x', `data format unknown, needed ${FOLDER_VERSION.format}`],
])('a folder of %s is refused, and stays unlocked', async (_, version, difference) => {
  const path = await leftovers.folder();
  await writeFile(join(path, 'version.json'), JSON.stringify(version));
  await expect(DataFolder.open(path)).rejects.toMatchObject({
    code: 'folder_version',
    message: expect.stringContaining(`(${difference})`),
  });
  expect(await readdir(join(path, 'run'))).toEqual([]);
});

test('a path where no folder can be is refused with a sentence', async () => {
  const file = join(await leftovers.folder(), 'file');
  await writeFile(file, '');
  await expect(DataFolder.open(join(file, 'data'))).rejects.toMatchObject({
    code: 'folder_unusable',
    message: `The data folder ${join(file, 'data')} cannot be created or written (ENOTDIR): name another folder.`,
  });
});

test('so is one in which something cannot be made or opened, as where another user began it', async () => {
  const path = await leftovers.folder();
  await writeFile(join(path, 'run'), '');
  await expect(DataFolder.open(path)).rejects.toMatchObject({
    code: 'folder_unusable',
    message: `The data folder ${path} cannot be created or written (EEXIST): name another folder.`,
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('a folder where nothing can be made is refused at once, and not tried for ever', async () => {
  await expect(DataFolder.open('/proc/nope/data')).rejects.toMatchObject({ code: 'folder_unusable' });
});

test('a folder with other files is refused and left as it was', async () => {
  const path = await leftovers.folder();
  await writeFile(join(path, 'thesis.txt'), 'mine');
  await expect(DataFolder.open(path)).rejects.toMatchObject({ code: 'folder_foreign' });
  expect(await readdir(path)).toEqual(['thesis.txt']);
});
