import { type Command } from './command.js';

/** How to run one program: what the supervisor needs to start it, know that it is ready, and stop it. */
export interface ProcessSpec {
  /** Unique within a supervisor; names the log file and the entry in `run/processes.json`. */
  readonly name: string;
  readonly command: Command;
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: NodeJS.ProcessEnv;
  /** Ports by purpose, for operators and tests. */
  readonly ports: Readonly<Record<string, number>>;
  /** Opens an IPC channel, whose `disconnect` tells a Node process that its parent is gone. */
  readonly ipc?: boolean;
  readonly stopSignal: NodeJS.Signals;
  /** After this long its process group gets SIGKILL. */
  readonly stopTimeoutMs: number;
  /** Exit code by which the program says that its settings are wrong. Absent = each code may say that. */
  readonly refusalCode?: number;
  /** A process that is not ready after this long counts as failed. */
  readonly readyTimeoutMs: number;
  /** How often it is told that the process is not ready yet; default 10 s. */
  readonly tellWaitingMs?: number;
  /** Sent by the kernel when the parent dies without stopping it (Linux). */
  readonly deathSignal: NodeJS.Signals;
  /** Brings files into shape and clears what a killed predecessor left behind; runs before each start. */
  prepare?(): Promise<void>;
  /** Asks the process itself; polled until it says yes. */
  isReady(pid: number): Promise<boolean>;
  /** Asks whether it lives on but only a restart can make it work again; then it gets one. Absent = no such state is known. */
  readonly stuck?: { readonly everyMs: number; readonly is: () => Promise<boolean> };
  /**
   * Whether a first start that failed is worth another try, and for how long since the first one. One that was killed by
   * a signal always is, and one that ended with another code than `refusalCode`, where the program has one: both say
   * nothing about the settings.
   */
  readonly retryStart: { readonly forMs: number; readonly when: (lastLines: string) => boolean };
}
