// Looks after work that ended its process three times in a row and is not taken up again by itself. Usage:
//   DATABASE_URL=... npm run set-aside -- list                    one in a line: service, kind, what it is about
//   DATABASE_URL=... npm run set-aside -- retry <kind> <key>      has it tried again
import pg from 'pg';
import { quoted, SCOPE_OF_ALL } from './backup/tables.mjs';

const USAGE = 'Usage: DATABASE_URL=postgres://... npm run set-aside -- list | retry <kind> <key>';

/**
 * The tables that count unfinished attempts: the kind of their work, what it is about, and what else is assigned when it is
 * tried again, in SQL. Each where it is there.
 */
const TABLES = [
  { table: 'work_leases', kind: 'kind', key: 'key' },
  { table: 'index_spaces', kind: `'re-embedding'`, key: 'owner_uid::text' },
  { table: 'summaries', kind: `'summary'`, key: 'project_uid::text' },
  { table: 'deletions', kind: `'deletion'`, key: 'uid::text' },
  {
    table: 'webhooks',
    kind: `'webhook'`,
    key: 'id::text',
    also: ', is_enabled = true, disabled_reason = NULL, next_attempt_at = now()',
  },
];

/** As `LeaseSql` of the persistence library says it. */
const IS_SET_ASIDE = 'unfinished >= 3 AND (lease_until IS NULL OR lease_until < clock_timestamp())';

/** @returns the rows of the statement for all tables of all services, each with the name of its `schema` */
async function inEveryTable(client, statementFor, parameters = []) {
  const { rows: found } = await client.query(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.columns
     WHERE column_name = 'unfinished' AND table_name = ANY ($1) ORDER BY 1, 2`,
    [TABLES.map(({ table }) => table)],
  );
  if (found.length === 0) fail('This database holds no schema of Loci: correct DATABASE_URL.');
  const all = [];
  for (const { schema, name } of found) {
    const table = TABLES.find((one) => one.table === name);
    const { rows } = await client.query(statementFor(`${quoted(schema)}.${name}`, table), parameters);
    all.push(...rows.map((row) => ({ schema, ...row })));
  }
  return all;
}

const COMMANDS = {
  async list(client) {
    const works = await inEveryTable(
      client,
      (name, { kind, key }) => `SELECT ${kind} AS kind, ${key} AS key FROM ${name} WHERE ${IS_SET_ASIDE}`,
    );
    return [
      ...works.map(({ schema, kind, key }) => [schema, kind, key].join('  ')),
      `${works.length} set aside.`,
    ];
  },

  async retry(client, kind, key) {
    const works = await inEveryTable(
      client,
      (name, table) =>
        `UPDATE ${name} SET unfinished = 0${table.also ?? ''}
         WHERE ${IS_SET_ASIDE} AND ${table.kind} = $1 AND ${table.key} = $2 RETURNING unfinished`,
      [kind, key],
    );
    if (works.length === 0) fail(`No ${kind} of ${key} is set aside.`);
    return works.map(({ schema }) => `A worker of ${schema} takes it up again.`);
  },
};

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const { DATABASE_URL } = process.env;
const [command = '', ...choice] = process.argv.slice(2);
const isComplete = Object.hasOwn(COMMANDS, command) && choice.length === (command === 'retry' ? 2 : 0);
if (!DATABASE_URL || !isComplete) fail(USAGE);
const client = new pg.Client({
  connectionString: DATABASE_URL,
  application_name: 'loci-set-aside',
  options: SCOPE_OF_ALL,
});
await client.connect();
try {
  for (const line of await COMMANDS[command](client, ...choice)) console.log(line);
} finally {
  await client.end();
}
