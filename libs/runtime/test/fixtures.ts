import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Credentials, credentialsOf } from '../src/access/credentials.js';
import { DataFolder } from '../src/folder/data-folder.js';
import { type ProcessEvent } from '../src/processes/process-events.js';
import { type ProcessSpec } from '../src/processes/process-spec.js';
import { Supervisor, type SupervisorOptions } from '../src/processes/supervisor.js';

/** Deletes what the tests of a file created: call it with `afterEach` or `afterAll`. */
export class Leftovers {
  private readonly undo: (() => unknown)[] = [];

  add(undo: () => unknown): void {
    this.undo.push(undo);
  }

  async clear(): Promise<void> {
    for (const undo of this.undo.splice(0).reverse()) await undo();
  }

  async folder(): Promise<string> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'runtime-')));
    this.add(() => rm(path, { recursive: true, force: true }));
    return path;
  }
}

/** Polls until the condition yields something, and fails after the deadline. */
export async function eventually<T>(
  what: string,
  condition: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await delay(10);
  }
}

/** Whether a process is there and not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

/** Pids of the processes with a path in their command line. */
export async function processesNaming(path: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.includes(path));
}

/** A supervisor on a folder of its own, with what it said. */
export interface Bench {
  readonly folder: DataFolder;
  readonly credentials: Credentials;
  readonly supervisor: Supervisor;
  readonly events: ProcessEvent[];
  pidOf(name: string): number;
  restarted(name: string, times?: number): Promise<void>;
}

export async function bench(
  leftovers: Leftovers,
  path?: string,
  options: Pick<SupervisorOptions, 'boundLogsEveryMs'> = {},
): Promise<Bench> {
  const folder = await DataFolder.open(path ?? (await leftovers.folder()));
  leftovers.add(() => folder.close());
  const events: ProcessEvent[] = [];
  const supervisor = new Supervisor({ folder, onEvent: (event) => events.push(event), ...options });
  leftovers.add(() => supervisor.stop());
  const restarts = (name: string): number =>
    events.filter((event) => event.kind === 'restarted' && event.name === name).length;
  return {
    folder,
    credentials: await credentialsOf(folder),
    supervisor,
    events,
    pidOf: (name) => supervisor.processes[name]?.pid ?? 0,
    restarted: async (name, times = 1) => {
      await eventually(`${name} restarted ${times} times`, () => restarts(name) >= times || undefined);
    },
  };
}

/** A process that runs a line of JavaScript and is ready once it printed `ready`. */
export function script(
  { folder }: Bench,
  name: string,
  code: string,
  over: Partial<ProcessSpec> = {},
): ProcessSpec {
  const log = join(folder.part('logs'), `${name}.log`);
  return {
    name,
    command: [process.execPath, '-e', code],
    cwd: folder.path,
    env: { PATH: process.env['PATH'] },
    ports: {},
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
    readyTimeoutMs: 60_000,
    deathSignal: 'SIGKILL',
    retryStart: { forMs: 0, when: () => false },
    isReady: (pid) => Promise.resolve(readFileSync(log, 'utf8').includes(`ready ${pid}`)),
    ...over,
  };
}

/** Prints `ready <pid>` and runs until it is told to end. */
export const IDLE = `console.log('ready ' + process.pid); setInterval(() => {}, 1000);`;
