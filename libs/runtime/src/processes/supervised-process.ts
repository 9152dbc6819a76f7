import { setTimeout as delay } from 'node:timers/promises';
import { BackOff } from './back-off.js';
import { type Exit, ManagedProcess } from './managed-process.js';
import { type ProcessListener } from './process-events.js';
import { type ProcessLog } from './process-log.js';
import { type ProcessSpec } from './process-spec.js';
import { RuntimeError } from '../runtime-error.js';

/** A process that is there now. */
export interface RunningProcess {
  readonly pid: number;
  readonly ports: Readonly<Record<string, number>>;
  readonly state: 'starting' | 'ready';
  /** How often it was brought back since the supervisor started it. */
  readonly restarts: number;
}

const TELL_WAITING_MS = 10_000;

/** Keeps one program running: starts it, brings it back on the same ports whenever it dies, stops it. */
export class SupervisedProcess {
  private readonly stopping = new AbortController();
  private readonly backOff = new BackOff();
  private current: ManagedProcess | undefined;
  private state: RunningProcess['state'] = 'starting';
  private restarts = 0;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly spec: ProcessSpec,
    private readonly log: ProcessLog,
    private readonly tell: ProcessListener,
    private readonly onChange: () => void,
  ) {}

  get name(): string {
    return this.spec.name;
  }

  get running(): RunningProcess | undefined {
    const { current, state, restarts } = this;
    return current && { pid: current.pid, ports: this.spec.ports, state, restarts };
  }

  /** Resolves once it is ready for the first time. */
  start(): Promise<void> {
    const started = this.startFirst().then((ready) => {
      this.work = this.keepAlive(ready);
    });
    this.work = started.catch(() => undefined);
    return started;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new RuntimeError('stopped', `${this.name} was told to stop.`));
    const wasRunning = this.current !== undefined;
    await this.current?.stop();
    await this.work;
    this.setCurrent(undefined);
    if (wasRunning) this.tell({ kind: 'stopped', name: this.name });
  }

  private async startFirst(): Promise<ManagedProcess> {
    const begunAt = performance.now();
    for (;;) {
      try {
        const ready = await this.launch();
        this.tell({ kind: 'ready', name: this.name, pid: ready.pid, tookMs: performance.now() - begunAt });
        return ready;
      } catch (error) {
        if (this.isStopping() || !this.mayStartAgain(error, begunAt)) throw error;
        const restartInMs = this.backOff.pauseMs(0);
        if (mayPass(error)) {
          this.tell({ kind: 'start-failed', name: this.name, reason: error.message, restartInMs });
        }
        await this.pause(restartInMs);
      }
    }
  }

  private mayStartAgain(error: unknown, begunAt: number): boolean {
    const { forMs, when } = this.spec.retryStart;
    return mayPass(error) || (performance.now() - begunAt < forMs && when(this.log.lastLines()));
  }

  /** Spawns the program once and waits until it is ready; a failed try leaves nothing running. */
  private async launch(): Promise<ManagedProcess> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    await this.spec.prepare?.();
    signal.throwIfAborted();
    const spawned = await ManagedProcess.spawn(this.spec, this.log);
    this.state = 'starting';
    this.setCurrent(spawned);
    this.tell({ kind: 'started', name: this.name, pid: spawned.pid });
    const waiting = this.tellWaiting();
    try {
      await spawned.waitUntilReady(signal);
    } catch (error) {
      await spawned.stop();
      this.setCurrent(undefined);
      throw error;
    } finally {
      clearInterval(waiting);
    }
    this.state = 'ready';
    this.onChange();
    return spawned;
  }

  private tellWaiting(): NodeJS.Timeout {
    const { name, readyTimeoutMs, tellWaitingMs = TELL_WAITING_MS } = this.spec;
    const begunAt = performance.now();
    return setInterval(() => {
      this.tell({ kind: 'waiting', name, forMs: performance.now() - begunAt, readyTimeoutMs });
    }, tellWaitingMs);
  }

  private async keepAlive(first: ManagedProcess): Promise<void> {
    let alive: ManagedProcess | undefined = first;
    while (alive) {
      const readyAt = performance.now();
      const exit = await this.end(alive);
      if (this.isStopping()) return;
      this.setCurrent(undefined);
      const restartInMs = this.backOff.pauseMs(performance.now() - readyAt);
      this.tell({ kind: 'died', name: this.name, exit, lastLines: alive.lastLines(), restartInMs });
      alive = await this.relaunch(restartInMs);
    }
  }

  /** Resolves when it has ended, by itself or because it was stuck. */
  private async end(alive: ManagedProcess): Promise<Exit> {
    const { stuck } = this.spec;
    if (!stuck) return alive.exited;
    for (;;) {
      const exit = await Promise.race([alive.exited, delay(stuck.everyMs, undefined, { ref: false })]);
      if (exit) return exit;
      if (await stuck.is()) {
        if (!this.isStopping()) this.tell({ kind: 'stuck', name: this.name });
        return alive.stop();
      }
    }
  }

  /** Tries until it is ready again; `undefined`: told to stop meanwhile. */
  private async relaunch(firstPauseMs: number): Promise<ManagedProcess | undefined> {
    let pauseMs = firstPauseMs;
    for (;;) {
      await this.pause(pauseMs);
      if (this.isStopping()) return undefined;
      try {
        const ready = await this.launch();
        this.restarts += 1;
        this.onChange();
        this.tell({ kind: 'restarted', name: this.name, pid: ready.pid, restarts: this.restarts });
        return ready;
      } catch (error) {
        pauseMs = this.backOff.pauseMs(0);
        const reason = error instanceof Error ? error.message : String(error);
        if (!this.isStopping()) {
          this.tell({ kind: 'restart-failed', name: this.name, reason, restartInMs: pauseMs });
        }
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private setCurrent(current: ManagedProcess | undefined): void {
    this.current = current;
    this.onChange();
  }
}

/** Whether a start failed for a reason that need not be there the next time. */
const mayPass = (error: unknown): error is RuntimeError =>
  error instanceof RuntimeError && (error.code === 'process_killed' || error.code === 'process_ended');
