import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, runToCompletion, RuntimeError, type TaskResult } from '@loci/runtime';
import { type ProcessTable } from './process-table.js';
import { commonEnv, type Surroundings } from './services.js';

const RESTART_PAUSE_MS = 200;

export interface MigrationOptions extends Surroundings {
  readonly logsFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Brings every schema up to date, all at once.
 * @throws RuntimeError with the sentence that the first one to fail wrote, once all have ended
 */
export async function migrate(
  migrations: ProcessTable['migrations'],
  options: MigrationOptions,
): Promise<void> {
  const outcomes = await Promise.allSettled(migrations.map((row) => migrateOne(row, options)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A process that is killed says nothing of the schema: it is started again. */
async function migrateOne(row: ProcessTable['migrations'][number], options: MigrationOptions): Promise<void> {
  for (;;) {
    const { exit, errors } = await runOnce(row, options);
    if (exit.code === 0) return;
    if (exit.signal === null) {
      throw new RuntimeError('process_failed', `${row.name} failed (${describeExit(exit)}): ${errors}`);
    }
    await delay(RESTART_PAUSE_MS, undefined, { signal: options.signal });
  }
}

function runOnce(row: ProcessTable['migrations'][number], options: MigrationOptions): Promise<TaskResult> {
  return runToCompletion({
    command: [process.execPath, join(options.appsFolder, row.main)],
    cwd: process.cwd(),
    env: {
      ...process.env,
      ...commonEnv(row.name, options),
      DATABASE_URL: options.servers.databaseUrl,
    },
    logPath: join(options.logsFolder, `${row.name}.log`),
    signal: options.signal,
  });
}
