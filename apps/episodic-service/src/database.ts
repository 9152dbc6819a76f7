/** The PostgreSQL schema that this service owns. */
export const SCHEMA = 'episodic';

/**
 * The key of a project's advisory lock: adds share it, and a change of the project takes it exclusively. It makes them
 * queue: with a row lock, new adds would go on joining the running ones, past a change that waits for the row.
 * @param uid an SQL expression
 */
export const projectLockKey = (uid: string): string => `hashtextextended(${uid}::text, 0)`;

/**
 * SQL that takes the lock of a project exclusively. It gives up after a second, to be tried again: adds of the project wait
 * behind it, for as long as it waits itself for a write that does not end.
 * @param uid an SQL expression
 */
export const exclusiveProjectLock = (uid: string): string =>
  `pg_advisory_xact_lock(CASE WHEN set_config('lock_timeout', '1s', true) IS NOT NULL THEN ${projectLockKey(uid)} END)`;
