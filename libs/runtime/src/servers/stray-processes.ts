import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const GONE_TIMEOUT_MS = 5_000;
const POLL_MS = 10;

/** Processes of one program that work in one folder. */
export interface StrayDescription {
  readonly program: string;
  readonly cwd: string;
}

/**
 * Ends what a killed predecessor left running on a folder, so that its successor can have the folder. PostgreSQL needs
 * it: a backend in the middle of a long computation outlives a killed postmaster, and a new postmaster refuses to start
 * beside it. Linux only; elsewhere nothing is found.
 */
export async function endStrays(stray: StrayDescription): Promise<void> {
  const deadline = performance.now() + GONE_TIMEOUT_MS;
  for (;;) {
    const pids = await findStrays(stray);
    if (pids.length === 0 || performance.now() > deadline) return;
    pids.forEach(endNow);
    await delay(POLL_MS);
  }
}

/** Pids of the processes that run this program in this folder. */
export async function findStrays({ program, cwd }: StrayDescription): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const matches = await Promise.all(
    pids.map(async (pid) => (await linkOf(pid, 'cwd')) === cwd && (await linkOf(pid, 'exe')) === program),
  );
  return pids.filter((_, index) => matches[index]);
}

/** Whether a process is known to work in another folder; one that cannot be looked at, or is not there, is not. */
export async function worksElsewhere(pid: number, folder: string): Promise<boolean> {
  const cwd = await linkOf(pid, 'cwd');
  return cwd !== undefined && cwd !== folder;
}

/** Where a link in `/proc/<pid>` points, also when the file was deleted or replaced since. */
async function linkOf(pid: number, name: 'cwd' | 'exe'): Promise<string | undefined> {
  const target = await readlink(`/proc/${pid}/${name}`).catch(() => undefined);
  return target?.replace(/ \(deleted\)$/, '');
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
