import { readdir, readFile } from 'node:fs/promises';

/** Of one tick of `/proc/<pid>/stat`: USER_HZ is 100 on every architecture that Linux runs Node on. */
const TICK_MS = 10;

/**
 * Processor time that a process and all its descendants took so far, in ms: user and system, dead children that were
 * waited for included. Unlike the time that passes, it hardly depends on what else the machine does. Linux only.
 * @returns undefined where there is no /proc
 */
export const processorMs = async (rootPid: number): Promise<number | undefined> =>
  (await readProcessorTimes())(rootPid);

/** Looks at all processes once. @returns what `processorMs` says of each as of now; undefined for one that is not there */
export async function readProcessorTimes(): Promise<(rootPid: number) => number | undefined> {
  const stats = await Promise.all((await pids()).map(statOf));
  const known = new Map(stats.filter((stat) => stat !== undefined).map((stat) => [stat.pid, stat]));
  return (rootPid) => {
    if (!known.has(rootPid)) return undefined;
    const isInside = (pid: number): boolean => {
      if (pid === rootPid) return true;
      const parent = known.get(pid)?.parent;
      return parent !== undefined && parent > 0 && isInside(parent);
    };
    const inside = [...known.values()].filter(({ pid }) => isInside(pid));
    return inside.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS;
  };
}

async function pids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.map(Number).filter((pid) => pid > 0);
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** proc(5): behind the name in parentheses come state (field 3), parent (4), and times from field 14 on. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), ticks };
}
