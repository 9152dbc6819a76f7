import type pg from 'pg';
import { type WireAnswer } from '../harness/api-document.js';
import { type Send, type Subject } from './trial.js';

const TABLES = ['config', 'episodic', 'semantic'].map((schema) => `${schema}.idempotency`);

/** No request that has an Idempotency-Key comes to its end until the database is told `COMMIT`. */
export const holdKeyed = async (database: pg.Client): Promise<void> => {
  // an answer that cannot be remembered cannot be given
  await database.query(`BEGIN; LOCK TABLE ${TABLES.join(', ')} IN EXCLUSIVE MODE`);
};

/** The answers to two requests with the same Idempotency-Key, sent at the same time. */
export interface Pair {
  /** That of the one which came too early. */
  readonly refused: WireAnswer;
  readonly granted: WireAnswer;
}

/** Sends a request twice, and has neither come to its end before the other is answered. */
export async function sendTwice(database: pg.Client, subject: Subject, send: Send): Promise<Pair> {
  await holdKeyed(database);
  const both = [send(subject), send(subject)];
  const refused = await Promise.race(both);
  await database.query('COMMIT');
  const granted = (await Promise.all(both)).find((answer) => answer !== refused);
  if (!granted) throw new Error('Two requests have two answers.');
  return { refused, granted };
}
