import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { describedColumns } from './described-columns.js';

/** A statement as `sql` of the persistence library makes it. */
export interface CheckedStatement {
  readonly text: string;
  /** Types by column, with `?` where it may be null. */
  readonly row: Readonly<Record<string, string>>;
}

export interface StatementFolder {
  /** Folder of sources, read with everything below it. */
  readonly folder: string;
  /** What every function of a `*.sql.ts` is called with that is not in `compositions`, such as the schema in a library. */
  readonly context?: readonly unknown[];
  /** Of functions whose text depends on a request: statements that stand for all of theirs. */
  readonly compositions?: ReadonlyMap<unknown, readonly CheckedStatement[]>;
}

export interface StatementCheck extends StatementFolder {
  /** A database with the migrated schema. */
  readonly url: string;
}

export interface FileOfStatements {
  readonly file: string;
  readonly statements: readonly CheckedStatement[];
}

export interface CheckedStatements {
  readonly checked: number;
  /** Where what a file declares is not what the server describes. */
  readonly problems: readonly string[];
}

/** Compares the declared rows of every statement in the `*.sql.ts` of a folder with the server's own description. */
export async function checkStatements(check: StatementCheck): Promise<CheckedStatements> {
  const client = new pg.Client({ connectionString: check.url });
  await client.connect();
  try {
    const problems: string[] = [];
    let checked = 0;
    for (const { file, statements } of await statementsIn(check)) {
      if (statements.length === 0)
        problems.push(`${relative(check.folder, file)}: no statement is found in it`);
      for (const statement of statements) {
        checked += 1;
        const found = await problemsOf(client, statement);
        problems.push(...found.map((problem) => `${relative(check.folder, file)}: ${problem}`));
      }
    }
    return { checked, problems };
  } finally {
    await client.end();
  }
}

/** The statements of each `*.sql.ts` of a folder. */
export async function statementsIn(check: StatementFolder): Promise<FileOfStatements[]> {
  const found: FileOfStatements[] = [];
  for (const file of await sqlFiles(check.folder)) {
    found.push({ file, statements: await statementsOf(file, check) });
  }
  return found;
}

async function sqlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.sql.ts'))
    .sort()
    .map((name) => join(folder, name));
}

async function statementsOf(
  file: string,
  { context, compositions }: StatementFolder,
): Promise<CheckedStatement[]> {
  const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  return Object.values(exported).flatMap((one): CheckedStatement[] => {
    const composed = compositions?.get(one);
    if (composed) return [...composed];
    const statement: unknown =
      typeof one === 'function' && context ? Reflect.apply(one, undefined, context) : one;
    return isStatement(statement) ? [statement] : [];
  });
}

const isStatement = (value: unknown): value is CheckedStatement =>
  typeof value === 'object' && value !== null && 'text' in value && 'row' in value;

/** What a statement declares that is not what the server describes. */
export async function problemsOf(client: pg.Client, { text, row }: CheckedStatement): Promise<string[]> {
  let described;
  try {
    described = await describedColumns(client, text);
  } catch (error) {
    return [`the server refuses it: ${String(error)}\n${text}`];
  }
  const problems: string[] = [];
  const names = described.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.push(`answers a column twice: ${names.join(', ')}`);
  for (const name of Object.keys(row)) {
    if (!names.includes(name)) problems.push(`declares ${name}, which it does not answer`);
  }
  for (const { name, type, isNotNull } of described) {
    const declared = row[name];
    if (declared === undefined) problems.push(`answers ${name} (${type}), which it does not declare`);
    else if (declared.replace('?', '') !== type)
      problems.push(`declares ${name} ${declared}, but it is ${type}`);
    else if (!declared.endsWith('?') && isNotNull === false) problems.push(`${name} may be null`);
  }
  return problems;
}
