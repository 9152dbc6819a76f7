/** The PostgreSQL schema that this service owns. */
export const SCHEMA = 'episodic';

/**
 * The key of a project's advisory lock: adds share it, and a change of the project takes it exclusively. It makes them
 * queue: with a row lock, new adds would go on joining the running ones, past a change that waits for the row.
 * @param uid an SQL expression
 */
export const projectLockKey = (uid: string): string => `hashtextextended(${uid}::text, 0)`;
