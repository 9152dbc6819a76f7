import { EXIT_FAILURE, EXIT_SETTINGS, StartError } from './start-error.js';

/** Something that can be asked to finish its work and stop. */
export interface Stoppable {
  close(): Promise<unknown>;
}

/** A drain that takes longer than this is cut off; Kubernetes' default grace period is 30 s. */
export const STOP_TIMEOUT_MS = 25_000;

/**
 * Runs a process: starts it, and on SIGTERM, SIGINT or the death of its parent (a closed IPC channel) stops it cleanly.
 * A failure to start is one sentence on standard error and exit code 1, or 78 when the settings are wrong; an unforeseen
 * error ends the process, because its supervisor brings back one in a known state.
 */
export async function runProcess(start: () => Promise<Stoppable>): Promise<void> {
  const started = Promise.resolve().then(start);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    void started
      .then((app) => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => fail('could not stop cleanly', error),
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  // a parent that died before the listener was there leaves a channel that is closed already
  if (process.send && !process.connected) stop();
  try {
    await started;
  } catch (error) {
    fail('could not start', error);
  }
}

/**
 * Runs a process that ends by itself. A failure is one sentence on standard error and an exit code as of `runProcess`.
 * @param work may tell why it has to wait
 */
export async function runJob(work: (waits: (error: unknown) => void) => Promise<unknown>): Promise<void> {
  try {
    await work((error) => tell('waits', error));
  } catch (error) {
    fail('failed', error);
  }
}

function fail(what: string, error: unknown): never {
  tell(what, error);
  process.exit(exitCodeOf(error));
}

function tell(what: string, error: unknown): void {
  const name = process.env['SERVICE_NAME'] ?? 'process';
  const story =
    error instanceof StartError
      ? error.message
      : !(error instanceof Error)
        ? String(error)
        : (error.stack ?? error.message);
  process.stderr.write(`${name} ${what}: ${story}\n`);
}

/** Codes of a `listen` that no other try mends: the address is a setting. */
const ADDRESS_REFUSED = new Set<unknown>(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES']);

function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode;
  const isListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return isListen && 'code' in error && ADDRESS_REFUSED.has(error.code) ? EXIT_SETTINGS : EXIT_FAILURE;
}
