import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder } from '../folder/data-folder.js';
import { type ProcessListener } from './process-events.js';
import { ProcessLog } from './process-log.js';
import { type ProcessSpec } from './process-spec.js';
import { type RunningProcess, SupervisedProcess } from './supervised-process.js';

export interface SupervisorOptions {
  /** Logs go to its `logs`, the list of running processes to its `run/processes.json`. */
  readonly folder: DataFolder;
  readonly onEvent?: ProcessListener | undefined;
  /** How often logs that have grown too large are set aside. */
  readonly boundLogsEveryMs?: number;
}

const BOUND_LOGS_MS = 10_000;

/** Runs groups of processes, brings back the ones that die, and stops the groups in reverse order. */
export class Supervisor {
  private readonly groups: SupervisedProcess[][] = [];
  private readonly logs: ProcessLog[] = [];
  private readonly boundingLogs: NodeJS.Timeout;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: SupervisorOptions) {
    const { boundLogsEveryMs = BOUND_LOGS_MS } = options;
    this.boundingLogs = setInterval(() => this.boundLogs(), boundLogsEveryMs).unref();
    this.writeList();
  }

  /**
   * Starts a group in parallel and resolves when each of it is ready. When one fails the others run on until `stop`.
   * @throws RuntimeError `process_failed` for the first that does not start, `stopped` when `stop` came before
   */
  async start(specs: readonly ProcessSpec[]): Promise<void> {
    const group = specs.map((spec) => this.supervise(spec));
    this.groups.push(group);
    if (this.stopped) await Promise.all(group.map((member) => member.stop()));
    await Promise.all(group.map((member) => member.start()));
  }

  /** The processes that exist at this moment, by name. */
  get processes(): Readonly<Record<string, RunningProcess>> {
    const named = this.groups.flat().map(({ name, running }) => [name, running] as const);
    return Object.fromEntries(
      named.filter((entry): entry is [string, RunningProcess] => entry[1] !== undefined),
    );
  }

  /** Stops the last group first; within a group all at once. */
  stop(): Promise<void> {
    this.stopped ??= this.stopGroups();
    return this.stopped;
  }

  private async stopGroups(): Promise<void> {
    for (const group of [...this.groups].reverse()) {
      await Promise.all(group.map((member) => member.stop()));
    }
    clearInterval(this.boundingLogs);
  }

  private supervise(spec: ProcessSpec): SupervisedProcess {
    const { folder, onEvent } = this.options;
    const log = new ProcessLog(join(folder.part('logs'), `${spec.name}.log`));
    this.logs.push(log);
    return new SupervisedProcess(
      spec,
      log,
      (event) => onEvent?.(event),
      () => this.writeList(),
    );
  }

  private boundLogs(): void {
    for (const log of this.logs) {
      try {
        log.bound();
      } catch {
        // a disk that takes nothing more must not end the processes either
      }
    }
  }

  private writeList(): void {
    const path = join(this.options.folder.part('run'), 'processes.json');
    try {
      writeFileSync(`${path}.new`, `${JSON.stringify(this.processes, undefined, 2)}\n`);
      renameSync(`${path}.new`, path);
    } catch {
      // a full disk must not end the processes that the list is about
    }
  }
}
