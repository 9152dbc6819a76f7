import { randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { link, mkdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './process-identity.js';

interface Holder {
  readonly pid: number;
  readonly startTime: string | undefined;
}

const TURN_MS = 10;
const ABANDONED_MS = 5_000;

/** The lock is held by a running process. */
export class LockedError extends Error {
  override readonly name = 'LockedError';

  constructor(readonly pid: number) {
    super(`locked by process ${pid}`);
  }
}

/** A lock file that names the process holding it, so that the lock of one that was killed is recognised as stale. */
export class FolderLock {
  private released = false;
  private readonly onExit = (): void => this.releaseNow();

  private constructor(private readonly path: string) {
    process.once('exit', this.onExit);
  }

  /** @throws LockedError when a running process holds it, this one included */
  static async acquire(path: string): Promise<FolderLock> {
    const mine = `${path}.${randomUUID()}`;
    const holder: Holder = { pid: process.pid, startTime: await startTimeOf(process.pid) };
    await writeFile(mine, JSON.stringify(holder));
    try {
      while (!(await linked(mine, path))) await removeIfStale(path);
    } finally {
      await unlink(mine);
    }
    return new FolderLock(path);
  }

  /** Does nothing the second time: the file may belong to another process by then. */
  release(): void {
    if (this.released) return;
    this.released = true;
    process.off('exit', this.onExit);
    this.releaseNow();
  }

  private releaseNow(): void {
    try {
      unlinkSync(this.path);
    } catch {
      // the folder was deleted meanwhile: nothing is left to release
    }
  }
}

/** A hard link appears whole or not at all, and never over an existing file. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfStale(path: string): Promise<void> {
  const seen = await read(path);
  if (seen === undefined) return;
  const pid = await livingHolder(seen);
  if (pid !== undefined) throw new LockedError(pid);
  await alone(`${path}.breaking`, async () => {
    // another process may have broken it, and locked the folder, between our look and our turn
    if ((await read(path)) === seen) await unlink(path);
  });
}

/** Does the work unless another process is at it, in which case it waits a moment and leaves it to the caller to look again. */
async function alone(path: string, work: () => Promise<void>): Promise<void> {
  if (!(await madeFolder(path))) {
    await removeIfAbandoned(path);
    await sleep(TURN_MS);
    return;
  }
  try {
    await work();
  } finally {
    await rmdir(path).catch(() => undefined);
  }
}

/** Making a folder is atomic: of many who try, one succeeds. */
async function madeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Breaking a lock takes a millisecond: who has been at it for seconds was killed. */
async function removeIfAbandoned(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rmdir(path).catch(() => undefined);
}

const read = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

async function livingHolder(content: string): Promise<number | undefined> {
  const holder = parse(content);
  if (holder === undefined) return undefined;
  const startTime = await startTimeOf(holder.pid);
  return startTime !== undefined && startTime === holder.startTime ? holder.pid : undefined;
}

function parse(content: string): Holder | undefined {
  try {
    return JSON.parse(content) as Holder;
  } catch {
    return undefined;
  }
}
