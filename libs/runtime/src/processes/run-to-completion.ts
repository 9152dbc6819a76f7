import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { type Command, prefixed } from './command.js';
import { type Exit } from './managed-process.js';
import { parentDeathPrefix } from './system-tools.js';

export interface Task {
  readonly command: Command;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Replaced by what it writes on standard output, then on standard error. */
  readonly logPath: string;
  /** Written to its standard input. */
  readonly input?: string;
  /** Kills it. */
  readonly signal?: AbortSignal | undefined;
}

export interface TaskResult {
  readonly exit: Exit;
  /** All that it wrote on standard error, trimmed. */
  readonly errors: string;
}

/**
 * Runs a program that ends by itself, and never outlives us.
 * @throws the reason of the task's signal, once the program it killed is gone
 */
export async function runToCompletion(task: Task): Promise<TaskResult> {
  task.signal?.throwIfAborted();
  const [program, ...args] = prefixed(await parentDeathPrefix('SIGKILL'), task.command);
  const output = openSync(task.logPath, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      cwd: task.cwd,
      env: task.env,
      detached: true,
      stdio: ['pipe', output, 'pipe'],
    }) as ChildProcessByStdio<Writable, null, Readable>;
    const kill = (): void => killGroup(child);
    task.signal?.addEventListener('abort', kill);
    child.stdin.on('error', () => undefined).end(task.input ?? '');
    const [errors, [code, signal]] = await Promise.all([
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    ]);
    task.signal?.removeEventListener('abort', kill);
    task.signal?.throwIfAborted();
    writeSync(output, errors);
    return { exit: { code, signal }, errors: errors.trim() };
  } finally {
    closeSync(output);
  }
}

/** Ends a program together with those that it runs itself, as `initdb` does. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
