import { sql } from '@loci/persistence';

const LOCK = `hashtextextended('ingestion_messages', 1763700220)`;

/**
 * While rows of learned messages are removed, nothing is taken in: a statement that began before would not see that the
 * order of adding has been followed beyond its messages, and put them back. Statements of their own, before the others.
 */
export const SHARE_INTAKE = sql({
  name: 'backlog_share_intake',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCK}) AS lock`,
  row: { lock: 'void' },
});

export const STOP_INTAKE = sql({
  text: `SELECT pg_advisory_xact_lock(${LOCK}) AS lock`,
  row: { lock: 'void' },
});
