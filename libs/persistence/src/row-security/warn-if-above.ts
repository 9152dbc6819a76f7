import { type Logger } from '@loci/platform';
import { type DataSource } from 'typeorm';
import { execute } from '../statements/execute.js';
import { LOGIN } from './login.sql.js';

/** Logs a warning when row security does not apply to the login of a service, because it may bypass it. */
export async function warnIfAboveRowSecurity(dataSource: DataSource, logger: Logger): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const [login] = await execute(runner.manager, LOGIN).finally(() => runner.release());
  if (!login?.isAbove) return;
  logger.warn(
    'row security does not apply to this login: use one that is no superuser and has no BYPASSRLS',
    {
      role: login.role,
    },
  );
}
