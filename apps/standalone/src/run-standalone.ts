import { once } from 'node:events';
import { RuntimeError, type Servers } from '@loci/runtime';
import { EnvError, readEnv, type StandaloneEnv } from './env.js';
import { type ProcessTable } from './process-table.js';
import { Progress } from './progress.js';
import { startStack } from './stack.js';
import { stopSignal } from './stop-signals.js';
import { chosenModel } from './chosen-model.js';
import { welcome } from './welcome.js';

export interface StandaloneOptions {
  readonly table: ProcessTable;
  /** The folder of the apps, built. */
  readonly appsFolder: string;
}

/** Runs everything until a signal asks it to stop. Resolves with the exit code. */
export async function runStandalone(options: StandaloneOptions): Promise<number> {
  const signal = stopSignal();
  // a terminal that was closed must not end us before everything is stopped
  process.stdout.on('error', () => undefined);
  try {
    const env = readEnv(process.env);
    await runUntil(signal, env, options);
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    process.stderr.write(`Loci did not start. ${explain(error)}\n`);
    return 1;
  }
}

async function runUntil(signal: AbortSignal, env: StandaloneEnv, options: StandaloneOptions): Promise<void> {
  const progress = new Progress(process.stdout);
  signal.addEventListener('abort', () => progress.step('stopping; once more stops at once'));
  const servers: Servers = await startStack({
    ...options,
    env,
    signal,
    onEvent: (event) => progress.event(event),
    onStep: (step) => progress.step(step),
  });
  const elapsed = progress.elapsedSeconds();
  process.stdout.write(`${welcome(env, elapsed, await chosenModel(env))}\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await servers.stop();
}

/** A failure that was foreseen explains itself; another one needs its stack. */
function explain(error: unknown): string {
  if (error instanceof RuntimeError || error instanceof EnvError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
