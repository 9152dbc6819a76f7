/** The PostgreSQL schema that this service owns. */
export const SCHEMA = 'episodic';

/**
 * The key of a project's advisory lock: adds share it, whoever changes the project takes it alone. It is what makes them
 * queue: those who share a row's lock go on joining each other past somebody who waits to change the row.
 * @param uid an SQL expression
 */
export const projectLockKey = (uid: string): string => `hashtextextended(${uid}::text, 0)`;
