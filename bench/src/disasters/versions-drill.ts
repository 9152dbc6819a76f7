import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runToCompletion } from '@loci/runtime';
import { type Fleet } from '@loci/testing';
import { ALL_PROCESSES } from '../processes.js';
import { type Drill, type Say, withFleet } from './drill.js';
import { Traffic } from './traffic.js';

const run = promisify(execFile);

const CLIENTS = 2;

/**
 * A rolling upgrade from an earlier commit to this one, under load: the migrations of this version run while the processes of
 * the former serve, then these are replaced one after the other. Variable FORMER: the commit; by default the latest tag, or
 * the commit before this one.
 */
export const versionsDrill: Drill = async (say) => {
  const former = process.env['FORMER'] ?? (await latestTag()) ?? 'HEAD~1';
  const folder = await mkdtemp(join(tmpdir(), 'loci-versions-'));
  const checkout = join(folder, 'former');
  await run('git', ['worktree', 'add', '--detach', checkout, former]);
  try {
    await linkPackages(checkout);
    await run(process.execPath, ['tools/build.mjs'], { cwd: checkout });
    return await upgrade(former, join(folder, 'current'), checkout, say);
  } finally {
    await run('git', ['worktree', 'remove', '--force', checkout]);
    await rm(folder, { recursive: true, force: true });
  }
};

/** @param current what processes are started from; a link, which is turned from the former version to this one */
async function upgrade(former: string, current: string, checkout: string, say: Say): Promise<string[]> {
  await symlink(checkout, current);
  const mainOf = (main: string): string => join(current, 'apps', main);
  return withFleet({ mainOf, replicas: () => 2 }, async (fleet) => {
    const traffic = new Traffic(() => fleet.url, CLIENTS);
    const problems = await migrate(fleet);
    const migrated = traffic.tookMs.length;
    await rm(current);
    await symlink(process.cwd(), current);
    for (const name of fleet.names) await fleet.replace(name);
    await traffic.stop();
    const { answers, failures, tookMs } = traffic;
    say(
      `from ${former}: ${migrated} requests while the migrations of this version ran, ${tookMs.length - migrated} while the ${fleet.names.length} processes were replaced: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    );
    return [...problems, ...(failures > 0 ? [`${failures} requests failed`] : [])];
  });
}

/** @returns what failed */
async function migrate({ servers }: Fleet): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, main } of ALL_PROCESSES.migrations) {
    const { exit, errors } = await runToCompletion({
      command: [process.execPath, join('apps', main)],
      cwd: process.cwd(),
      env: { ...process.env, SERVICE_NAME: name, DATABASE_URL: servers.databaseUrl },
      logPath: join(servers.folder.part('logs'), `new-${name}.log`),
      signal: new AbortController().signal,
    });
    if (exit.code !== 0) problems.push(`${name} failed: ${errors}`);
  }
  return problems;
}

const latestTag = (): Promise<string | undefined> =>
  run('git', ['describe', '--tags', '--abbrev=0']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/**
 * Those of this checkout, but for our own: installing takes longer than the drill, and a change of others' versions is not what it
 * is about.
 */
async function linkPackages(folder: string): Promise<void> {
  const from = join(process.cwd(), 'node_modules');
  const to = join(folder, 'node_modules');
  await mkdir(join(to, OURS), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== OURS) await symlink(join(from, name), join(to, name));
  }
  // relative links, to the folders of the checkout that they are in
  for (const name of await readdir(join(from, OURS)))
    await symlink(await readlink(join(from, OURS, name)), join(to, OURS, name));
  for (const group of ['apps', 'libs']) {
    for (const name of await readdir(join(folder, group))) {
      const own = join(process.cwd(), group, name, 'node_modules');
      if (existsSync(own)) await symlink(own, join(folder, group, name, 'node_modules'));
    }
  }
}

const OURS = '@loci';
