import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, prefixed } from '../processes/command.js';
import { type DataFolder } from '../folder/data-folder.js';
import { describeExit } from '../processes/managed-process.js';
import { giveTo, type PostgresUser } from './postgres-user.js';
import { runToCompletion } from '../processes/run-to-completion.js';
import { RuntimeError } from '../runtime-error.js';
import { type Durability, serverEnv } from './server-options.js';

/** Role that owns the database, and the database. Not a superuser: one would pass row-level security by. */
export const ROLE = 'loci';
const SUPERUSER = 'postgres';

export interface PostgresCluster {
  readonly program: string;
  readonly user: PostgresUser;
  readonly folder: DataFolder;
  readonly durability: Durability;
  readonly signal?: AbortSignal | undefined;
}

export const dataDirectory = (folder: DataFolder): string => join(folder.part('postgres'), 'data');

/**
 * Skips what only a crash of the machine can notice. Not `synchronous_commit=off`: a commit would be acknowledged while
 * still in the server's own memory, and a killed server would lose it.
 */
export const UNSYNCED = ['fsync=off', 'full_page_writes=off'];

/**
 * Creates the data directory on first use: UTF-8, a superuser `postgres`, a role and a database `loci`, passwords kept
 * beside it in files that only their owner reads. It appears whole or not at all.
 * @returns the password of the role
 */
export async function createCluster(cluster: PostgresCluster): Promise<string> {
  const { folder, user } = cluster;
  const data = dataDirectory(folder);
  const unfinished = `${data}.unfinished`;
  const passwordFile = join(folder.part('postgres'), 'password');
  if (!(await exists(data))) {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await giveTo(user, unfinished);
    const superuserPasswordFile = join(folder.part('postgres'), 'superuser-password');
    await initialize(cluster, unfinished, await newPassword(superuserPasswordFile));
    await createDatabase(cluster, unfinished, await newPassword(passwordFile));
    await rename(unfinished, data);
  }
  await giveTo(user, data);
  return (await readFile(passwordFile, 'utf8')).trim();
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

/** Runs a single-user server, which takes one statement per line and needs neither port nor client. */
async function createDatabase(cluster: PostgresCluster, data: string, passwordFile: string): Promise<void> {
  const password = (await readFile(passwordFile, 'utf8')).trim();
  const unsynced =
    cluster.durability === 'fast-for-tests' ? UNSYNCED.flatMap((setting) => ['-c', setting]) : [];
  const statements = [
    `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${ROLE} OWNER ${ROLE}`,
  ];
  const stopAtError = ['-c', 'exit_on_error=on'];
  await runTool(
    cluster,
    [cluster.program, '--single', '-D', data, ...stopAtError, ...unsynced, SUPERUSER],
    `${statements.join('\n')}\n`,
  );
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
      `PostgreSQL could not create its data directory (${describeExit(exit)}): ${errors}`,
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
