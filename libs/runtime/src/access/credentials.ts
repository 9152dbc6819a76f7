import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder } from '../folder/data-folder.js';
import { RuntimeError } from '../runtime-error.js';

/**
 * The secrets of a data folder, by what they open. Each begins with a letter and consists of letters and digits: it needs
 * no quoting in a URL, in SQL, or as a variable of a NATS configuration.
 */
const NAMES = [
  'nats-gateway',
  'nats-config',
  'nats-episodic',
  'nats-semantic',
  'nats-streams',
  'nats-operator',
  'postgres-migrate',
  'postgres-config',
  'postgres-episodic',
  'postgres-semantic',
  'qdrant',
] as const;

export type Credentials = Readonly<Record<(typeof NAMES)[number], string>>;

/** Outside of the folders of the servers, so that a server can lose all of its files and keep its credentials. */
const FILE = 'credentials.json';

/**
 * The credentials of all servers of a data folder: made at its first start, kept from then on, readable by its owner only.
 * @throws RuntimeError `folder_unusable` when the file is there and has other content
 */
export async function credentialsOf(folder: DataFolder): Promise<Credentials> {
  const path = join(folder.path, FILE);
  const known = await readKnown(path);
  const missing = NAMES.filter((name) => known[name] === undefined);
  const all = { ...newCredentials(), ...known };
  if (missing.length > 0) await writeSecretly(path, `${JSON.stringify(all, undefined, 2)}\n`);
  else await chmod(path, 0o600);
  return all;
}

function newCredentials(): Credentials {
  const entries = NAMES.map((name) => [name, `k${randomBytes(24).toString('hex')}`] as const);
  return Object.fromEntries(entries) as Credentials;
}

async function readKnown(path: string): Promise<Partial<Credentials>> {
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  if (text === undefined) return {};
  const found = parsed(text);
  if (found && Object.values(found).every((value) => typeof value === 'string' && /^\w+$/.test(value))) {
    return found;
  }
  throw new RuntimeError(
    'folder_unusable',
    `${path} does not hold the credentials of the servers: restore it, or delete it and new ones are made.`,
  );
}

function parsed(text: string): Partial<Credentials> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a file that only its owner may read: all of it or nothing, whenever the machine stops. */
export async function writeSecretly(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await rename(unfinished, path);
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
