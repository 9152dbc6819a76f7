import { join } from 'node:path';
import { describeExit, runToCompletion, RuntimeError } from '@loci/runtime';
import { type ProcessTable } from './process-table.js';
import { commonEnv, type Surroundings } from './services.js';

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

async function migrateOne(row: ProcessTable['migrations'][number], options: MigrationOptions): Promise<void> {
  const { exit, errors } = await runToCompletion({
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
  if (exit.code === 0) return;
  throw new RuntimeError('process_failed', `${row.name} failed (${describeExit(exit)}): ${errors}`);
}
