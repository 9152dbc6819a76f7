import { type Logger } from '@loci/platform';
import { type DataSource } from 'typeorm';

/** Says so when row security does not hold the login of a service, because it may pass all of it by. */
export async function warnIfAboveRowSecurity(dataSource: DataSource, logger: Logger): Promise<void> {
  const [login] = await dataSource.query<{ role: string; isAbove: boolean }[]>(
    `SELECT rolname AS role, rolsuper OR rolbypassrls AS "isAbove" FROM pg_roles WHERE rolname = current_user`,
  );
  if (!login?.isAbove) return;
  logger.warn('row security does not hold this login: use one that is no superuser and has no BYPASSRLS', {
    role: login.role,
  });
}
