import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { prefixed } from './command.js';
import { type ProcessLog } from './process-log.js';
import { type ProcessSpec } from './process-spec.js';
import { RuntimeError, type RuntimeErrorCode } from '../runtime-error.js';
import { parentDeathPrefix } from './system-tools.js';

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const FIRST_POLL_MS = 5;
const LONGEST_POLL_MS = 100;

const living = new Set<ManagedProcess>();

/** One running child process, in a process group of its own, so that a Ctrl-C in the terminal reaches only us. */
export class ManagedProcess {
  readonly exited: Promise<Exit>;
  private exit: Exit | undefined;
  private stopped: Promise<Exit> | undefined;

  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    private readonly spec: ProcessSpec,
    private readonly log: ProcessLog,
  ) {
    living.add(this);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        living.delete(this);
        this.exit = { code, signal };
        this.killGroup();
        resolve(this.exit);
      });
    });
  }

  /** @throws RuntimeError `process_failed` when the program cannot be run at all */
  static async spawn(spec: ProcessSpec, log: ProcessLog): Promise<ManagedProcess> {
    const [program, ...args] = prefixed(await parentDeathPrefix(spec.deathSignal), spec.command);
    const output = log.open();
    try {
      const child = spawn(program, args, {
        cwd: spec.cwd,
        env: spec.env,
        detached: true,
        stdio: ['ignore', output, output, ...(spec.ipc ? (['ipc'] as const) : [])],
      });
      return new ManagedProcess(child, await pidOf(child), spec, log);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new RuntimeError('process_failed', `${spec.name} could not be run: ${reason}.`, { cause });
    } finally {
      closeSync(output);
    }
  }

  /**
   * @throws RuntimeError with the end of its log: `process_killed` when a signal ended it, `process_ended` when it ended
   *   by itself but not by its `refusalCode`, `process_failed` when it refused its settings or takes too long
   */
  async waitUntilReady(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.spec.readyTimeoutMs;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_POLL_MS)) {
      const ready = await this.spec.isReady(this.pid);
      signal.throwIfAborted();
      if (this.exit) throw this.endedWhileStarting(this.exit);
      if (ready) return;
      if (performance.now() > deadline)
        throw this.failure(`was not ready after ${this.spec.readyTimeoutMs} ms`);
      await Promise.race([this.exited, delay(pauseMs)]);
    }
  }

  /** Asks it to stop, and after the time that its specification allows makes it. */
  stop(): Promise<Exit> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  /** Ends it and whatever it started in its group, at once. */
  kill(): void {
    if (this.exit) return;
    this.child.kill('SIGKILL');
    this.killGroup();
  }

  lastLines(): string {
    return this.log.lastLines();
  }

  private async stopOnce(): Promise<Exit> {
    if (this.exit) return this.exit;
    this.child.kill(this.spec.stopSignal);
    const enough = setTimeout(() => this.kill(), this.spec.stopTimeoutMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(enough);
    }
  }

  private killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // the group is empty, as it should be
    }
  }

  private endedWhileStarting(exit: Exit): RuntimeError {
    return this.failure(`ended while starting (${describeExit(exit)})`, this.codeOf(exit));
  }

  private codeOf({ code, signal }: Exit): RuntimeErrorCode {
    if (signal !== null) return 'process_killed';
    const { refusalCode = code } = this.spec;
    return code === refusalCode ? 'process_failed' : 'process_ended';
  }

  private failure(what: string, code: RuntimeErrorCode = 'process_failed'): RuntimeError {
    const lines = this.lastLines();
    const tail = lines === '' ? 'Its log is empty' : `The end of its log:\n${lines}\nThe whole log`;
    return new RuntimeError(code, `${this.spec.name} ${what}. ${tail}: ${this.log.path}`);
  }
}

async function pidOf(child: ChildProcess): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error] = (await once(child, 'error')) as [Error];
  throw error;
}

/** An exit in words, for messages. */
export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

process.once('exit', () => {
  for (const managed of living) managed.kill();
});
