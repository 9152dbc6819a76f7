import { type QueryRunner } from 'typeorm';

export interface BuiltIndex {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** What stands behind the name of the table: `(a, b) WHERE c`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/**
 * Builds an index while its table is in use, for a migration outside of a transaction. One of this name that is there, which
 * an earlier attempt may have left unfinished, goes first.
 */
export async function buildIndex(
  runner: QueryRunner,
  { schema, table, name, definition, isUnique = false }: BuiltIndex,
): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
  await runner.query(
    `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${schema}.${table} ${definition}`,
  );
}

/** As `buildIndex`; the index that has the name now serves until the new one is there. */
export async function replaceIndex(runner: QueryRunner, index: BuiltIndex): Promise<void> {
  const { schema, name } = index;
  await buildIndex(runner, { ...index, name: `${name}_new` });
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
  await runner.query(`ALTER INDEX ${schema}.${name}_new RENAME TO ${name}`);
}

/** Sees to it that there is a unique index of this name: as `replaceIndex`, unless the one that is there is unique and whole. */
export async function ensureUniqueIndex(
  runner: QueryRunner,
  { columns, ...index }: Pick<BuiltIndex, 'schema' | 'table' | 'name'> & { readonly columns: string },
): Promise<void> {
  const [there] = (await runner.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisunique AND indisvalid',
    [`${index.schema}.${index.name}`],
  )) as unknown[];
  if (!there) await replaceIndex(runner, { ...index, definition: `(${columns})`, isUnique: true });
}

/** Gives a table another primary key, which is built while the table is in use; it takes the place of the former in a moment. */
export async function replacePrimaryKey(
  runner: QueryRunner,
  { schema, table, columns }: Pick<BuiltIndex, 'schema' | 'table'> & { readonly columns: string },
): Promise<void> {
  const name = `${table}_key`;
  await buildIndex(runner, { schema, table, name, definition: `(${columns})`, isUnique: true });
  await runner.query(`
    ALTER TABLE ${schema}.${table} DROP CONSTRAINT ${table}_pkey,
      ADD CONSTRAINT ${table}_pkey PRIMARY KEY USING INDEX ${name}`);
}
