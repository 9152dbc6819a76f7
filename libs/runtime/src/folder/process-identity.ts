import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process was started, as an opaque text; together with its pid it names one process for ever, while a pid alone
 * is used again. `undefined`: no such process, or only a zombie.
 */
export function startTimeOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxStartTime(pid) : portableStartTime(pid);
}

async function linuxStartTime(pid: number): Promise<string | undefined> {
  try {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    return parseStartTime(stat, bootId.trim());
  } catch {
    return undefined;
  }
}

/**
 * @param stat a line of `/proc/<pid>/stat` as in proc(5): state is field 3, start time in ticks since boot field 22
 */
export function parseStartTime(stat: string, bootId: string): string | undefined {
  // the second field, the name of the program, may contain spaces and parentheses
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = rest[18];
  return state === 'Z' || state === 'X' || ticks === undefined ? undefined : `${bootId}:${ticks}`;
}

async function portableStartTime(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
