import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const ANY_WRITE = 0o222;
const NEW_FILE_MODE = 0o600;

/** What the system says of a file or folder that may not be changed; a mounted file cannot be replaced (`EBUSY`). */
const UNCHANGEABLE: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'EBUSY'];

/** A text file that is replaced as a whole or not at all, whenever the process or the machine dies. */
export class ConfigurationFile {
  constructor(readonly path: string) {}

  /** @returns undefined when there is no such file */
  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Replaces the content; the mode of the file stays, and a link stays a link.
   * @returns false when the file is read-only
   */
  async write(text: string): Promise<boolean> {
    try {
      const path = await realpath(this.path).catch(() => this.path);
      const mode = await modeOf(path);
      if ((mode & ANY_WRITE) === 0) return false;
      await replace(path, text, mode);
      return true;
    } catch (error) {
      if (UNCHANGEABLE.includes(codeOf(error))) return false;
      throw error;
    }
  }
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  const folder = dirname(path);
  const unfinished = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Without it the new name of the file may be lost with the power. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NEW_FILE_MODE;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
