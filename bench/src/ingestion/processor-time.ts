import { readdir, readFile } from 'node:fs/promises';

/** What was used of the processors, in user and system mode together. */
export interface ProcessorTime {
  /** Milliseconds by kind of process: those of its replicas, and of all that they started, together. */
  readonly byKind: ReadonlyMap<string, number>;
  /** The share of the machine that was busy, with whatever else runs on it: 0 to 1. */
  readonly machine: number;
}

/** A tick of `/proc`: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

interface Sample {
  readonly byKind: ReadonlyMap<string, number>;
  readonly busyTicks: number;
  readonly allTicks: number;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Of itself, and of the children that it has seen end. */
  readonly ticks: number;
}

/**
 * Measures what processes use of the processors from now on. Only Linux says what is needed.
 * @param roots process ids by name; those whose names differ in a number at the end are of one kind
 * @returns what was used until it is called; undefined elsewhere than on Linux
 */
export async function measureProcessorTime(
  roots: Readonly<Record<string, number>>,
): Promise<() => Promise<ProcessorTime | undefined>> {
  if (process.platform !== 'linux') return () => Promise.resolve(undefined);
  const before = await sample(roots);
  return async () => {
    const after = await sample(roots);
    const used = [...after.byKind].map(([kind, ms]) => [kind, ms - (before.byKind.get(kind) ?? 0)] as const);
    const all = after.allTicks - before.allTicks;
    return { byKind: new Map(used), machine: (after.busyTicks - before.busyTicks) / Math.max(all, 1) };
  };
}

async function sample(roots: Readonly<Record<string, number>>): Promise<Sample> {
  const [rows, machine] = await Promise.all([readProcesses(), readMachine()]);
  const ticksOf = (pid: number): number =>
    rows.reduce((sum, row) => {
      const own = row.pid === pid ? row.ticks : 0;
      return sum + own + (row.parent === pid ? ticksOf(row.pid) : 0);
    }, 0);
  const byKind = new Map<string, number>();
  for (const [name, pid] of Object.entries(roots)) {
    const kind = name.replace(/-\d+$/, '');
    byKind.set(kind, (byKind.get(kind) ?? 0) + ticksOf(pid) * TICK_MS);
  }
  return { byKind, ...machine };
}

async function readProcesses(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(pids.map(readProcess));
  return rows.flatMap((row) => row ?? []);
}

/** @returns undefined for a process that has ended */
async function readProcess(pid: string): Promise<ProcessRow | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // proc(5): the name is in brackets and may hold spaces; field 4 is the parent, 14 to 17 are the times
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(pid), parent: Number(fields[1]), ticks };
}

/** proc(5): user, nice, system, idle, iowait, irq, softirq, steal. */
async function readMachine(): Promise<{ busyTicks: number; allTicks: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const allTicks = ticks.reduce((sum, each) => sum + each, 0);
  return { allTicks, busyTicks: allTicks - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}
