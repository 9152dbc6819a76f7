import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Credentials } from '../access/credentials.js';
import { passwordsSql, RETIRE_FORMER_ROLE_SQL, ROLES_SQL } from '../access/postgres-roles.js';
import { type Command, prefixed } from '../processes/command.js';
import { type DataFolder } from '../folder/data-folder.js';
import { describeExit } from '../processes/managed-process.js';
import { giveTo, type PostgresUser } from './postgres-user.js';
import { runToCompletion } from '../processes/run-to-completion.js';
import { RuntimeError } from '../runtime-error.js';
import { type Durability, serverEnv } from './server-options.js';
import { endStrays, worksElsewhere } from './stray-processes.js';

export const DATABASE = 'loci';
const SUPERUSER = 'postgres';

export interface PostgresCluster {
  readonly program: string;
  readonly user: PostgresUser;
  readonly folder: DataFolder;
  readonly credentials: Credentials;
  readonly durability: Durability;
  readonly signal?: AbortSignal | undefined;
}

export const dataDirectory = (folder: DataFolder): string => join(folder.part('postgres'), 'data');

/**
 * Skips what only a crash of the machine can notice. Not `synchronous_commit=off`: a commit would be acknowledged while
 * still in the server's own memory, and a killed server would lose it.
 */
export const UNSYNCED = ['fsync=off', 'full_page_writes=off'];

/** What a killed postmaster leaves for a moment: its lock file, and shared memory until its last backend is gone. */
export const LEFT_BEHIND = /postmaster\.pid|shared memory block/;

/** How long that is, at most. */
export const LEFT_BEHIND_MS = 10_000;

const RETRY_MS = 100;

/**
 * Creates the data directory on first use: UTF-8, a superuser `postgres` whose password is kept beside it in a file that
 * only its owner reads, and a database `loci`. It appears whole or not at all. Then makes the roles of that database as they
 * are to be, with their passwords.
 */
export async function createCluster(cluster: PostgresCluster): Promise<void> {
  const { folder, user } = cluster;
  const data = dataDirectory(folder);
  const unfinished = `${data}.unfinished`;
  if (!(await exists(data))) {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await giveTo(user, unfinished);
    const superuserPasswordFile = join(folder.part('postgres'), 'superuser-password');
    await initialize(cluster, unfinished, await newPassword(superuserPasswordFile));
    await runSingleUser(cluster, unfinished, SUPERUSER, `CREATE DATABASE ${DATABASE};\n\n`);
    await rename(unfinished, data);
  }
  await giveTo(user, data);
  await makeRoles(cluster, data);
}

/**
 * A data directory in which a single role did everything becomes one with a role for each service. At every start, which
 * takes a tenth of a second: a role can change its own password and settings, and must not lock its service out by that.
 */
async function makeRoles(cluster: PostgresCluster, data: string): Promise<void> {
  const { folder, credentials, program } = cluster;
  const passwords = passwordsSql({
    migrate: credentials['postgres-migrate'],
    config: credentials['postgres-config'],
    episodic: credentials['postgres-episodic'],
    semantic: credentials['postgres-semantic'],
  });
  const sql = [ROLES_SQL, RETIRE_FORMER_ROLE_SQL, passwords].join('\n');
  await clearLeftBehind(program, data);
  await onceFree(() => runSingleUser(cluster, data, DATABASE, `${sql}\n`), cluster.signal);
  for (const former of ['password', 'roles.sha256']) {
    await rm(join(folder.part('postgres'), former), { force: true });
  }
}

/**
 * Ends what a killed postmaster left running, and removes its pid file where another process has its pid by now, as after a
 * restart of the machine or of a container: PostgreSQL takes any process of that pid for a postmaster. No other can be there,
 * because the folder is ours.
 */
export async function clearLeftBehind(program: string, data: string): Promise<void> {
  await endStrays({ program, cwd: data });
  const file = join(data, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (pid > 0 && (await worksElsewhere(pid, data))) await rm(file, { force: true });
}

/** Repeats what a killed postmaster prevents for a moment. */
async function onceFree(work: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const giveUpAt = performance.now() + LEFT_BEHIND_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const mayPass = error instanceof RuntimeError && LEFT_BEHIND.test(error.message);
      if (!mayPass || performance.now() > giveUpAt) throw error;
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}

async function initialize(cluster: PostgresCluster, data: string, passwordFile: string): Promise<void> {
  const { program, durability } = cluster;
  const initdb = join(dirname(program), 'initdb');
  const options = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  const unsynced = durability === 'fast-for-tests' ? ['--no-sync'] : [];
  await runTool(cluster, [initdb, ...options, ...localeOptions(), ...unsynced]);
}

/** macOS calls its Unicode locales otherwise; sorting by code point is the same everywhere. */
function localeOptions(): string[] {
  return process.platform === 'darwin' ? ['--locale=en_US.UTF-8', '--lc-collate=C'] : ['--locale=C.UTF-8'];
}

/**
 * Runs statements in a single-user server, which needs neither port nor client.
 * @param sql each statement ends with a semicolon and an empty line
 */
async function runSingleUser(
  cluster: PostgresCluster,
  data: string,
  database: string,
  sql: string,
): Promise<void> {
  const unsynced =
    cluster.durability === 'fast-for-tests' ? UNSYNCED.flatMap((setting) => ['-c', setting]) : [];
  const options = ['-j', '-D', data, '-c', 'exit_on_error=on', ...unsynced];
  await runTool(cluster, [cluster.program, '--single', ...options, database], sql);
}

async function runTool(
  { user, folder, signal }: PostgresCluster,
  command: Command,
  input?: string,
): Promise<void> {
  const { exit, errors } = await runToCompletion({
    command: prefixed(user.prefix, command),
    cwd: '/',
    env: serverEnv,
    logPath: join(folder.part('logs'), 'postgres-init.log'),
    signal,
    ...(input !== undefined && { input }),
  });
  if (exit.code !== 0) {
    throw new RuntimeError(
      'process_failed',
      `PostgreSQL could not prepare its data directory (${describeExit(exit)}): ${errors}`,
    );
  }
}

/** Writes a random password, of letters and digits that need no quoting in SQL or a URL, and returns the file's path. */
async function newPassword(file: string): Promise<string> {
  await writeFile(file, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
