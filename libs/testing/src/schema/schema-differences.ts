import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

export interface SchemaDifferences {
  /** What `migration:generate` would write: statements that would make the schema what the entities say. */
  readonly statements: readonly string[];
  readonly tablesWithoutEntity: readonly string[];
  /** Of entities that are not synchronized: TypeORM compares nothing of them. */
  readonly otherColumns: readonly string[];
}

/** Compares entities with a migrated schema; nothing is changed. */
export async function schemaDifferences(options: {
  readonly url: string;
  readonly schema: string;
  readonly entities: NonNullable<DataSourceOptions['entities']>;
}): Promise<SchemaDifferences> {
  const source = new DataSource({ ...options, type: 'postgres', installExtensions: false });
  await source.initialize();
  try {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const tables = await tablesOf(options);
    const known = new Set(source.entityMetadatas.map(({ tableName }) => tableName));
    const unsynchronized = source.entityMetadatas.filter(({ synchronize }) => !synchronize);
    return {
      statements: upQueries.map(({ query }) => query),
      tablesWithoutEntity: [...tables.keys()].filter((table) => !known.has(table)),
      otherColumns: unsynchronized.flatMap(({ tableName, columns }) => {
        const [named, there] = [columns.map(({ databaseName }) => databaseName), tables.get(tableName) ?? []];
        return named.sort().join() === there.join()
          ? []
          : [`${tableName}: ${named.join()}, not ${there.join()}`];
      }),
    };
  } finally {
    await source.destroy();
  }
}

/** The columns of each table, by name; without the list of migrations, which is TypeORM's own, and without partitions. */
async function tablesOf({ url, schema }: { url: string; schema: string }): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name::text COLLATE "C") AS columns
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = $1 AND table_type = 'BASE TABLE' AND table_name <> 'migrations'
         AND NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass(format('%I.%I', table_schema, table_name)) AND relispartition)
       GROUP BY table_name ORDER BY table_name`,
      [schema],
    );
    return new Map(rows.map(({ name, columns }) => [name, columns]));
  } finally {
    await client.end();
  }
}
