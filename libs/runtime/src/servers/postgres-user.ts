import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Command, prefixed } from '../processes/command.js';
import { POSTGRES_BINARY } from './npm-binaries.js';
import { RuntimeError } from '../runtime-error.js';
import { commandWorks } from '../processes/system-tools.js';

const run = promisify(execFile);

/** `nobody`: PostgreSQL wants a user id that has a name. */
const NOBODY = '65534';

/** How to run PostgreSQL, which refuses to run as root: a command prefix, and who owns its files. */
export interface PostgresUser {
  readonly prefix: Command | readonly [];
  /** User id that the data directory must belong to; absent: the current user. */
  readonly ownerUid?: number;
}

/** Root, seen as `nobody` inside a user namespace: files stay root's, and folders closed to others stay reachable. */
export const ROOT_SEEN_AS_NOBODY: Required<PostgresUser> = {
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
  ownerUid: 0,
};

/**
 * Really `nobody`, for containers that forbid user namespaces; keeps the one capability that lets it reach its program
 * and its data below a folder like `/root`.
 */
export const NOBODY_REACHING_ALL: Required<PostgresUser> = {
  prefix: [
    'setpriv',
    ...['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups'],
    ...['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'],
  ],
  ownerUid: Number(NOBODY),
};

const OURSELVES: PostgresUser = { prefix: [] };

/** @throws RuntimeError `binary_missing` when root can't become another user here */
export async function postgresUser(): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return OURSELVES;
  for (const user of [ROOT_SEEN_AS_NOBODY, NOBODY_REACHING_ALL]) {
    if (await commandWorks(...prefixed(user.prefix, ['true']))) return user;
  }
  throw new RuntimeError(
    'binary_missing',
    'PostgreSQL does not run as root, and this system lets root neither open a user namespace nor drop its privileges: ' +
      `start as another user, or set ${POSTGRES_BINARY.urlVariable} to a server of your own.`,
  );
}

/** Gives a data directory to the user who is about to run on it, when the folder last ran in another way. */
export async function giveTo({ ownerUid }: PostgresUser, directory: string): Promise<void> {
  if (ownerUid === undefined || (await stat(directory)).uid === ownerUid) return;
  await run('chown', ['-R', `${ownerUid}:${ownerUid}`, directory]);
}
