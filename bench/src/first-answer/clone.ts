import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A clone of this repository, installed and built, with what each step took. */
export interface Clone {
  readonly folder: string;
  readonly steps: readonly { readonly name: string; readonly seconds: number }[];
  readonly remove: () => Promise<void>;
}

/** Makes one of what is committed, in a temporary folder. */
export async function cloneAndBuild(): Promise<Clone> {
  const parent = await mkdtemp(join(tmpdir(), 'loci-clone-'));
  const folder = join(parent, 'loci');
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true });
  const timed = async (name: string, command: readonly string[], cwd: string) => {
    const begunMs = performance.now();
    await ended(command, cwd);
    return { name, seconds: (performance.now() - begunMs) / 1_000 };
  };
  try {
    const steps = [
      await timed('git clone', ['git', 'clone', '--quiet', `file://${process.cwd()}`, folder], parent),
      await timed('npm ci', ['npm', 'ci', '--silent'], folder),
      await timed('npm run build', ['npm', 'run', '--silent', 'build'], folder),
    ];
    return { folder, steps, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs a command in a folder; what it prints is shown. */
export function ended([command = '', ...given]: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { cwd, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${given.join(' ')} ended with ${String(code)}.`));
    });
  });
}
