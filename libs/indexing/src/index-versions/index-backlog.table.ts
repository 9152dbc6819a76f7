import { type QueryRunner } from 'typeorm';
import { ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';

export interface IndexBacklogTables {
  readonly schema: string;
  /** The table of what is indexed, in that schema. */
  readonly table: string;
  /** Whether a row waits for its vector: a condition on its columns. */
  readonly waits: string;
}

/**
 * Has the number of rows that wait for their vectors counted by the statements that change it, whichever version of a
 * process sends them, for a migration. The number is the sum over a few rows: each transaction writes one that no other
 * transaction holds, so that counting makes none of them wait.
 */
export async function createIndexBacklog(
  runner: QueryRunner,
  { schema, table, waits }: IndexBacklogTables,
): Promise<void> {
  const [backlog, items] = [`${schema}.index_backlog`, `${schema}.${table}`];
  const free = `SELECT slot FROM ${backlog} LIMIT 1 FOR UPDATE SKIP LOCKED`;
  await runner.query(`
    CREATE TABLE ${backlog} (
      slot  int GENERATED ALWAYS AS IDENTITY CONSTRAINT index_backlog_pkey PRIMARY KEY,
      items bigint NOT NULL
    ) WITH (fillfactor = 50)`);
  await runner.query(`
    CREATE FUNCTION ${schema}.count_index_backlog() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE more bigint;
    BEGIN
      -- adds are waited for: one statement instead of two
      IF TG_OP = 'INSERT' THEN
        UPDATE ${backlog} SET items = items + (SELECT count(*) FROM written WHERE ${waits}) WHERE slot = (${free});
        IF NOT FOUND THEN
          INSERT INTO ${backlog} (items) SELECT count(*) FROM written WHERE ${waits};
        END IF;
        RETURN NULL;
      END IF;
      more := -(SELECT count(*) FROM replaced WHERE ${waits});
      IF TG_OP = 'UPDATE' THEN more := more + (SELECT count(*) FROM written WHERE ${waits}); END IF;
      IF more = 0 THEN RETURN NULL; END IF;
      UPDATE ${backlog} SET items = items + more WHERE slot = (${free});
      IF NOT FOUND THEN INSERT INTO ${backlog} (items) VALUES (more); END IF;
      RETURN NULL;
    END $$`);
  for (const [event, rows] of [
    ['insert', 'NEW TABLE AS written'],
    ['update', 'OLD TABLE AS replaced NEW TABLE AS written'],
    ['delete', 'OLD TABLE AS replaced'],
  ] as const) {
    await runner.query(
      `CREATE TRIGGER count_backlog_${event} AFTER ${event} ON ${items} REFERENCING ${rows}
       FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.count_index_backlog()`,
    );
  }
  await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
  await runner.query(`INSERT INTO ${backlog} (items) SELECT count(*) FROM ${items} WHERE ${waits}`);
}

/** Undoes `createIndexBacklog`. */
export async function dropIndexBacklog(
  runner: QueryRunner,
  { schema, table }: Omit<IndexBacklogTables, 'waits'>,
): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    await runner.query(`DROP TRIGGER count_backlog_${event} ON ${schema}.${table}`);
  }
  await runner.query(`DROP FUNCTION ${schema}.count_index_backlog()`);
  await runner.query(`DROP TABLE ${schema}.index_backlog`);
}
