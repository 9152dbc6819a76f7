import { type QueryRunner } from 'typeorm';
import { inTransaction } from './in-transaction.js';

export interface BuiltIndex {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** What stands behind the name of the table: `(a, b) WHERE c`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/**
 * Builds an index while its table is in use, for a migration outside of a transaction. Begun again, it keeps what an earlier
 * attempt built, since that may have taken hours and be read already; one of this name that is unfinished, or another, goes first.
 */
export async function buildIndex(runner: QueryRunner, index: BuiltIndex): Promise<void> {
  const { schema, table, name, definition, isUnique = false } = index;
  await patiently(runner, async () => {
    await inTransaction(runner, () =>
      runner.query(`LOCK TABLE ${schema}.${table} IN SHARE UPDATE EXCLUSIVE MODE`),
    );
    if (await isBuilt(runner, index)) return;
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
    await runner.query(
      `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${schema}.${table} ${definition}`,
    );
  });
}

/** As `buildIndex`; the index that has the name now serves until the new one is there. */
export async function replaceIndex(runner: QueryRunner, index: BuiltIndex): Promise<void> {
  if (await isBuilt(runner, index)) return;
  const { schema, name } = index;
  await buildIndex(runner, { ...index, name: `${name}_new` });
  await patiently(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`));
  await runner.query(`ALTER INDEX ${schema}.${name}_new RENAME TO ${name}`);
}

/** Gives a table another primary key, which is built while the table is in use; it takes the place of the former in a moment. */
export async function replacePrimaryKey(
  runner: QueryRunner,
  { schema, table, columns }: Pick<BuiltIndex, 'schema' | 'table'> & { readonly columns: string },
): Promise<void> {
  const key = { schema, table, definition: `(${columns})`, isUnique: true };
  if (await isBuilt(runner, { ...key, name: `${table}_pkey` })) return;
  await buildIndex(runner, { ...key, name: `${table}_key` });
  await runner.query(`
    ALTER TABLE ${schema}.${table} DROP CONSTRAINT ${table}_pkey,
      ADD CONSTRAINT ${table}_pkey PRIMARY KEY USING INDEX ${table}_key`);
}

/**
 * Waits for as long as it takes: for transactions that began earlier, anywhere in the database, such as a backup or an index of
 * another service, and for an attempt whose process ended while its server still builds. Nothing waits behind it.
 */
async function patiently(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await work();
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

async function isBuilt(runner: QueryRunner, index: BuiltIndex): Promise<boolean> {
  const { schema, table, name, isUnique = false } = index;
  const [there] = (await runner.query(
    `SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indexrelid = to_regclass($1) AND indrelid = to_regclass($2)
       AND indisunique = $3 AND indisvalid AND indisready`,
    [`${schema}.${name}`, `${schema}.${table}`, isUnique],
  )) as IndexText[];
  return there !== undefined && definitionIn(there) === definitionIn(await sampleOf(runner, index));
}

interface IndexText {
  readonly text: string;
}

/** How PostgreSQL writes the definition down, which it does in words of its own: read from an index of an empty table. */
function sampleOf(runner: QueryRunner, { schema, table, definition }: BuiltIndex): Promise<IndexText> {
  return inTransaction(runner, async () => {
    await runner.query(`CREATE TEMP TABLE sample (LIKE ${schema}.${table}) ON COMMIT DROP`);
    await runner.query(`CREATE INDEX sample_index ON pg_temp.sample ${definition}`);
    const rows = (await runner.query(`SELECT pg_get_indexdef('pg_temp.sample_index'::regclass) AS text`)) as [
      IndexText,
    ];
    return rows[0];
  });
}

/** Without the names of the index and its table. */
const definitionIn = ({ text }: IndexText): string => text.slice(text.indexOf(' USING '));
