import { relative } from 'node:path';
import pg from 'pg';
import {
  type CheckedStatement,
  type FileOfStatements,
  type StatementFolder,
  statementsIn,
} from './statement-check.js';

/** As `Distribution` of the persistence library. */
export type CheckedDistribution = Readonly<
  Record<string, { readonly by: string } | { readonly whole: string }>
>;

export interface DistributionCheck {
  /** A database with the migrated schema. */
  readonly url: string;
  readonly schema: string;
  readonly distribution: CheckedDistribution;
  /** Unique keys that are there for the version before, and go with the next one. */
  readonly formerKeys?: readonly string[];
}

const TABLES = `
SELECT relname AS name FROM pg_class
WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;

/** Each primary key and unique index with its columns; those that are expressions are missing. */
const KEYS = `
SELECT found.relname AS "table", named.relname AS name, array(
  SELECT attname::text FROM pg_attribute WHERE attrelid = found.oid AND attnum = ANY (index.indkey)) AS columns
FROM pg_index AS index JOIN pg_class AS found ON found.oid = indrelid JOIN pg_class AS named ON named.oid = indexrelid
WHERE found.relnamespace = to_regnamespace($1) AND indisunique AND NOT found.relispartition ORDER BY 1, 2`;

/** Each foreign key, with its columns and, beside each, that which it refers to. */
const FOREIGN_KEYS = `
SELECT found.relname AS "table", conname AS name, referred.relname AS "to",
  array(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS one(number, position)
        JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY position) AS columns,
  array(SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS one(number, position)
        JOIN pg_attribute ON attrelid = confrelid AND attnum = number ORDER BY position) AS "toColumns"
FROM pg_constraint JOIN pg_class AS found ON found.oid = conrelid JOIN pg_class AS referred ON referred.oid = confrelid
WHERE contype = 'f' AND found.relnamespace = to_regnamespace($1) AND conparentid = 0 ORDER BY 1, 2`;

/**
 * What stands in the way of spreading the tables of a schema over several servers, by the rules of PostgreSQL for
 * partitions (https://www.postgresql.org/docs/17/ddl-partitioning.html) and of Citus for distributed tables: every table is
 * listed, every primary and unique key contains the column by which its table is distributed, and a foreign key leads to a
 * table that is everywhere, or from that column to that of the other table.
 */
export async function distributionProblems(check: DistributionCheck): Promise<string[]> {
  const { schema, distribution, formerKeys = [] } = check;
  return withClient(check.url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES, [schema]);
    const { rows: keys } = await client.query<{ table: string; name: string; columns: string[] }>(KEYS, [
      schema,
    ]);
    const { rows: foreign } = await client.query<ForeignKey>(FOREIGN_KEYS, [schema]);
    const column = (table: string): string | undefined => columnOf(distribution, table);
    const names = new Set(tables.map(({ name }) => name));
    return [
      ...[...names].filter((name) => !(name in distribution)).map((name) => `${name} is not listed`),
      ...Object.keys(distribution)
        .filter((name) => !names.has(name))
        .map((name) => `${name} is listed, but there is no such table`),
      ...keys
        .filter(({ name }) => !formerKeys.includes(name))
        .filter(({ table, columns }) => !columns.includes(column(table) ?? columns[0] ?? ''))
        .map(({ table, name }) => `${table}: ${name} does not contain ${column(table) ?? ''}`),
      ...foreign
        .filter((key) => !isLocal(key, column))
        .map(({ table, name, to }) => `${table}: ${name} may lead to a row of ${to} on another server`),
    ];
  });
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly toColumns: readonly string[];
}

/** Whether the row that a foreign key leads to is on the server of its own row. */
function isLocal({ table, to, columns, toColumns }: ForeignKey, of: (table: string) => string | undefined) {
  const [own, other] = [of(table), of(to)];
  if (other === undefined) return true;
  return own !== undefined && columns.some((column, index) => column === own && toColumns[index] === other);
}

/**
 * The statements of a folder that do not say where the rows of a distributed table are: no condition of their plans compares
 * its column for equality. The paths of their files.
 */
export async function statementsOfAllRows(check: DistributionCheck & StatementFolder): Promise<string[]> {
  return unrestricted(check, await statementsIn(check));
}

/** As `statementsOfAllRows`, of these statements. */
export async function unrestricted(
  check: DistributionCheck & Pick<StatementFolder, 'folder'>,
  files: readonly FileOfStatements[],
): Promise<string[]> {
  return withClient(check.url, async (client) => {
    const found = new Set<string>();
    for (const { file, statements } of files) {
      for (const statement of statements) {
        if (await isUnrestricted(client, statement, check)) found.add(relative(check.folder, file));
      }
    }
    return [...found].sort();
  });
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

const CONDITIONS = /Cond$|Filter$|^Cache Key$/;

/** Whether a statement does not say where the rows of some distributed table are. */
async function isUnrestricted(
  client: pg.Client,
  { text }: CheckedStatement,
  { schema, distribution }: DistributionCheck,
): Promise<boolean> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`,
  );
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
  const conditions = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([key, value]) => (CONDITIONS.test(key) ? [String(value)] : [])),
  );
  const columns = nodes.flatMap((node) => {
    const table = node['Relation Name'];
    const column = table === undefined ? undefined : columnOf(distribution, table);
    if (table === undefined || column === undefined || node.Schema !== schema) return [];
    return node['Node Type'].endsWith('Scan') ? [`${node.Alias ?? table}.${column}`] : [];
  });
  const located = locatedColumns(columns, conditions);
  return columns.some((column) => !located.has(column));
}

/** The columns that are compared for equality with a value, or with another one of them that is. */
function locatedColumns(columns: readonly string[], conditions: readonly string[]): ReadonlySet<string> {
  const partners = new Map(
    columns.map((column) => [column, conditions.flatMap((one) => comparedWith(column, one))]),
  );
  const located = new Set<string>();
  for (let size = -1; size < located.size;) {
    size = located.size;
    for (const [column, others] of partners) {
      if (others.some((other) => !partners.has(other) || located.has(other))) located.add(column);
    }
  }
  return located;
}

/** What a condition, as EXPLAIN writes it, compares a column with for equality; of an expression only a part. */
function comparedWith(column: string, condition: string): string[] {
  const name = column.replaceAll('.', String.raw`\.`);
  const right = new RegExp(String.raw`(?<![\w.])${name} = ([\w.$]*)`, 'g');
  const left = new RegExp(String.raw`([\w.$]*)\)? = ${name}(?!\w)`, 'g');
  return [...condition.matchAll(right), ...condition.matchAll(left)].map(([, other = '']) => other);
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const columnOf = (distribution: CheckedDistribution, table: string): string | undefined => {
  const placement = distribution[table];
  return placement && 'by' in placement ? placement.by : undefined;
};

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
