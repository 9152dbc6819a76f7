import { readFile } from 'node:fs/promises';
import { readProcessorTimes } from '../processor-time.js';

/** What was used of the processors, in user and system mode together. */
export interface ProcessorTime {
  /** Milliseconds by kind of process: those of its replicas, and of all that they started, together. */
  readonly byKind: ReadonlyMap<string, number>;
  /** The share of the machine that was busy, with whatever else runs on it: 0 to 1. */
  readonly machine: number;
}

interface Sample {
  readonly byKind: ReadonlyMap<string, number>;
  readonly busyTicks: number;
  readonly allTicks: number;
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
  const [msOf, machine] = await Promise.all([readProcessorTimes(), readMachine()]);
  const byKind = new Map<string, number>();
  for (const [name, pid] of Object.entries(roots)) {
    const kind = name.replace(/-\d+$/, '');
    byKind.set(kind, (byKind.get(kind) ?? 0) + (msOf(pid) ?? 0));
  }
  return { byKind, ...machine };
}

/** proc(5): user, nice, system, idle, iowait, irq, softirq, steal. */
async function readMachine(): Promise<{ busyTicks: number; allTicks: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const allTicks = ticks.reduce((sum, each) => sum + each, 0);
  return { allTicks, busyTicks: allTicks - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}
