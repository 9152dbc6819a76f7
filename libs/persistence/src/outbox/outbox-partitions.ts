import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';
import { createOutboxTable } from './outbox.table.js';

const PARTITIONS = 4;

/** So long messages come into the same partition. */
const SECONDS_OF_PARTITION = 300;

const partitionAt = (time: string): string =>
  `(extract(epoch FROM ${time})::bigint / ${SECONDS_OF_PARTITION} % ${PARTITIONS})::smallint`;

/**
 * Divides the outbox by the time of adding into partitions that are used in turn, for a migration. One in which every
 * message is sent is emptied as a whole, which leaves nothing to vacuum: `empty_outbox()`, which counts the partitions
 * that it emptied. Services may call it, and delete no row themselves.
 */
export async function partitionOutbox(runner: QueryRunner, schema: string): Promise<void> {
  const outbox = qualified(schema, 'outbox');
  const former = qualified(schema, 'former_outbox');
  const run = (text: string): Promise<unknown> => runner.query(text);
  await run(`ALTER TABLE ${outbox} RENAME TO former_outbox`);
  await run(`ALTER TABLE ${former} RENAME CONSTRAINT outbox_pkey TO former_outbox_pkey`);
  for (const index of ['outbox_unsent', 'outbox_sent']) await run(`DROP INDEX ${qualified(schema, index)}`);
  await run(`
    CREATE TABLE ${outbox} (
      id         uuid NOT NULL,
      part       smallint NOT NULL DEFAULT ${partitionAt('now()')},
      subject    text NOT NULL,
      payload    jsonb NOT NULL,
      headers    jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      sent_at    timestamptz,
      CONSTRAINT outbox_pkey PRIMARY KEY (id, part)
    ) PARTITION BY LIST (part)`);
  for (let part = 0; part < PARTITIONS; part += 1) {
    await run(`
      CREATE TABLE ${qualified(schema, `outbox_${part}`)} PARTITION OF ${outbox} FOR VALUES IN (${part})
      WITH (autovacuum_vacuum_scale_factor = 0.02)`);
  }
  await run(`CREATE INDEX outbox_unsent ON ${outbox} (id) WHERE sent_at IS NULL`);
  await run(`
    INSERT INTO ${outbox} (id, subject, payload, headers, created_at)
    SELECT id, subject, payload, headers, created_at FROM ${former} WHERE sent_at IS NULL`);
  await run(`DROP TABLE ${former}`);
  await run(emptyOutboxFunction(schema));
  await run(withoutDeletions(schema));
}

/** Undoes `partitionOutbox`. */
export async function departitionOutbox(runner: QueryRunner, schema: string): Promise<void> {
  const outbox = qualified(schema, 'outbox');
  const former = qualified(schema, 'former_outbox');
  await runner.query(`DROP FUNCTION ${qualified(schema, 'empty_outbox')}()`);
  await runner.query(`ALTER TABLE ${outbox} RENAME TO former_outbox`);
  await runner.query(`ALTER TABLE ${former} DROP CONSTRAINT outbox_pkey`);
  await runner.query(`DROP INDEX ${qualified(schema, 'outbox_unsent')}`);
  await createOutboxTable(runner, schema);
  await runner.query(`
    INSERT INTO ${outbox} (id, subject, payload, headers, created_at, sent_at)
    SELECT id, subject, payload, headers, created_at, sent_at FROM ${former}`);
  await runner.query(`DROP TABLE ${former}`);
}

/**
 * Neither the partition that is written to, nor the next. Nothing can be added to one while it is locked, so what is looked
 * at then is all. Where the lock is not to be had at once, a later call empties it.
 */
const emptyOutboxFunction = (schema: string): string => `
CREATE FUNCTION ${qualified(schema, 'empty_outbox')}() RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  written int := ${partitionAt('clock_timestamp()')};
  name    text;
  has_any boolean;
  waits   boolean;
  emptied int := 0;
BEGIN
  FOR later IN 2..${PARTITIONS - 1} LOOP
    name := format('%I.%I', '${schema}', 'outbox_' || (written + later) % ${PARTITIONS});
    EXECUTE format('SELECT EXISTS (SELECT FROM %1$s), EXISTS (SELECT FROM %1$s WHERE sent_at IS NULL)', name)
      INTO has_any, waits;
    CONTINUE WHEN waits OR NOT has_any;
    BEGIN
      EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', name);
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE sent_at IS NULL)', name) INTO waits;
      CONTINUE WHEN waits;
      EXECUTE format('TRUNCATE %s', name);
      emptied := emptied + 1;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN emptied;
END $$`;

/** A former version deletes by the physical position of rows, which partitions do not share. */
const withoutDeletions = (schema: string): string => `
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'loci_${schema}') THEN
    REVOKE DELETE ON ${qualified(schema, 'outbox')}${Array.from({ length: PARTITIONS }, (_, part) => `, ${qualified(schema, `outbox_${part}`)}`).join('')}
    FROM loci_${schema};
  END IF;
END $$`;
