import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, runToCompletion, RuntimeError } from '@loci/runtime';

/** What `npm run restore` runs. */
const PROGRAM = fileURLToPath(new URL('../../../tools/backup/restore.mjs', import.meta.url));

export interface RestoreOptions {
  /** Of the role that owns the schemas, which are migrated. */
  readonly databaseUrl: string;
  readonly logsFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Puts a backup into schemas without data, all or nothing. No service runs yet: what the first look of one writes is data.
 * @throws RuntimeError with the sentence that the program wrote
 */
export async function restore(folder: string, options: RestoreOptions): Promise<void> {
  const { databaseUrl, logsFolder, signal } = options;
  const { exit, errors } = await runToCompletion({
    command: [process.execPath, PROGRAM, folder],
    cwd: process.cwd(),
    env: { ...process.env, DATABASE_URL: databaseUrl },
    logPath: join(logsFolder, 'restore.log'),
    signal,
  });
  if (exit.code === 0) return;
  throw new RuntimeError(
    'process_failed',
    `The backup that LOCI_RESTORE names was not restored: ${errors || describeExit(exit)}`,
  );
}
