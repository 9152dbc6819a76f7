import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FolderLock, LockedError } from './folder-lock.js';
import { RuntimeError } from '../runtime-error.js';

export type FolderPart = 'postgres' | 'nats' | 'qdrant' | 'logs' | 'run';

/** The manifest of a data folder: the layout's own version, and of each server the major version whose files it has. */
export interface FolderVersion {
  readonly format: number;
  readonly servers: Readonly<Record<'postgres' | 'nats' | 'qdrant', string>>;
}

/** What this version of the program writes. */
export const FOLDER_VERSION: FolderVersion = {
  format: 3,
  servers: { postgres: '17', nats: '2', qdrant: '1' },
};

/** Of one role in PostgreSQL, which is brought forward when the servers start. */
const UPGRADED_FORMAT = 2;

const VERSION_FILE = 'version.json';
const PARTS: readonly FolderPart[] = ['postgres', 'nats', 'qdrant', 'logs', 'run'];

/** The one folder with everything that a set of servers keeps; open in one process at a time. */
export class DataFolder {
  private constructor(
    readonly path: string,
    private readonly lock: FolderLock,
  ) {}

  /**
   * Creates the folder or opens it where it was left.
   * @throws RuntimeError `folder_unusable`, `folder_foreign`, `folder_locked` or `folder_version`
   */
  static open(path: string): Promise<DataFolder> {
    const given = resolve(path);
    return unlessUnusable(given, () => DataFolder.make(given));
  }

  private static async make(given: string): Promise<DataFolder> {
    await makeFolder(given);
    await access(given, USABLE);
    // as the system names the folder that a process works in
    const root = await realpath(given);
    await refuseForeign(root);
    await mkdir(join(root, 'run'), { recursive: true, mode: 0o700 });
    const lock = await acquireLock(root);
    try {
      await checkVersion(root);
      await Promise.all(PARTS.map((part) => makePart(join(root, part))));
    } catch (error) {
      lock.release();
      throw error;
    }
    return new DataFolder(root, lock);
  }

  part(part: FolderPart): string {
    return join(this.path, part);
  }

  close(): void {
    this.lock.release();
  }
}

const USABLE = constants.R_OK | constants.W_OK | constants.X_OK;

async function makePart(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await access(path, USABLE);
}

/** @throws RuntimeError `folder_unusable` for whatever the system refuses: what is in the folder may be another user's */
async function unlessUnusable<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code;
    if (cause instanceof RuntimeError || reason === undefined) throw cause;
    throw new RuntimeError(
      'folder_unusable',
      `The data folder ${root} cannot be created or written (${reason}): name another folder.`,
      { cause },
    );
  }
}

/** As `mkdir -p`; `recursive` of Node tries for ever below a folder that refuses with ENOENT, as /proc does. */
async function makeFolder(path: string): Promise<void> {
  const make = (): Promise<void> => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await make();
    } else if (!(await isFolder(path))) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
};

async function refuseForeign(root: string): Promise<void> {
  const entries = await readdir(root);
  const ours = entries.includes(VERSION_FILE) || entries.every((entry) => entry === 'run');
  if (!ours) {
    throw new RuntimeError(
      'folder_foreign',
      `${root} holds files but is not a data folder: name an empty folder or a new one.`,
    );
  }
}

async function acquireLock(root: string): Promise<FolderLock> {
  try {
    return await FolderLock.acquire(join(root, 'run', 'lock.json'));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new RuntimeError(
      'folder_locked',
      `The data folder ${root} is in use by process ${error.pid}: stop that process, or name another folder.`,
    );
  }
}

async function checkVersion(root: string): Promise<void> {
  const file = join(root, VERSION_FILE);
  const expected = JSON.stringify(FOLDER_VERSION, undefined, 2);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || isUpgraded(text)) {
    const unfinished = join(root, 'run', VERSION_FILE);
    await writeFile(unfinished, `${expected}\n`);
    await rename(unfinished, file);
    return;
  }
  const difference = versionDifference(text);
  if (difference !== undefined) {
    throw new RuntimeError(
      'folder_version',
      `The data folder ${root} was written by another version (${difference}): ` +
        'start the version that wrote it, or name another folder.',
    );
  }
}

function isUpgraded(text: string): boolean {
  const found = parseVersion(text);
  return found.format === UPGRADED_FORMAT && versionDifference(asCurrent(found)) === undefined;
}

const asCurrent = (version: ReturnType<typeof parseVersion>): string =>
  JSON.stringify({ ...version, format: FOLDER_VERSION.format });

/** The first way in which the text of a version file differs from what this version writes. */
export function versionDifference(text: string): string | undefined {
  const { format, servers } = parseVersion(text);
  if (format !== FOLDER_VERSION.format) {
    return `data format ${format ?? 'unknown'}, needed ${FOLDER_VERSION.format}`;
  }
  for (const [server, needed] of Object.entries(FOLDER_VERSION.servers)) {
    const found = servers?.[server];
    if (found !== needed) return `${server} ${found ?? 'unknown'}, needed ${needed}`;
  }
  return undefined;
}

function parseVersion(text: string): { format?: number; servers?: Partial<Record<string, string>> } {
  try {
    return (JSON.parse(text) as ReturnType<typeof parseVersion> | null) ?? {};
  } catch {
    return {};
  }
}
