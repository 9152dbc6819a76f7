// Looks after the messages that consumers gave up, which wait in the tables `dead_letters` of the services. Usage:
//   DATABASE_URL=... npm run dead-letters -- list                                   one in a line, the oldest first
//   DATABASE_URL=... npm run dead-letters -- show <id>...                           all that is known of them
//   DATABASE_URL=... npm run dead-letters -- replay <id>... | --consumer <name>     has them handled again
//   DATABASE_URL=... npm run dead-letters -- drop <id>... | --consumer <name>       gives them up for good
import { parseArgs } from 'node:util';
import pg from 'pg';
import { quoted, SCOPE_OF_ALL } from './backup/tables.mjs';

const USAGE =
  'Usage: DATABASE_URL=postgres://... npm run dead-letters -- list | show <id>... | ' +
  '(replay | drop) (<id>... | --consumer <name>)';

/** A sentence for the operator; nothing was changed. */
class Refusal extends Error {}

/** Of the letters that were asked for, in the parameters of every statement below. */
const CHOSEN = '(id::text = ANY($1) OR consumer = $2)';

/** Each does its work in the transaction, and returns what to say when it is committed. */
const COMMANDS = {
  async list(client) {
    const letters = await inEveryService(
      client,
      (schema) => `SELECT id, created_at, consumer, reason FROM ${schema}.dead_letters`,
    );
    const lines = letters
      .sort((a, b) => a.created_at - b.created_at)
      .map(({ id, created_at, consumer, reason }) =>
        [id, created_at.toISOString(), consumer, reason.replace(/\s+/g, ' ')].join('  '),
      );
    return [...lines, `${letters.length} dead letters.`];
  },

  async show(client, choice) {
    const letters = await ofChosen(
      client,
      choice,
      (schema) => `SELECT * FROM ${schema}.dead_letters WHERE ${CHOSEN}`,
    );
    return letters.map((letter) => JSON.stringify(letter, null, 2));
  },

  /**
   * Moves letters into the outbox of the service that publishes their subject, whose relay sends them to every consumer
   * of it; no other service may. They go by the id of the letter, so that one that fails again becomes a letter of its own.
   */
  async replay(client, choice) {
    const unreadable = await inEveryService(
      client,
      (schema) =>
        `SELECT id FROM ${schema}.dead_letters WHERE ${CHOSEN} AND NOT pg_input_is_valid(payload, 'jsonb')`,
      choice,
    );
    if (unreadable.length > 0) {
      throw new Refusal(`The payload is not JSON in ${unreadable.map(({ id }) => id)}: drop it.`);
    }
    const letters = await ofChosen(
      client,
      choice,
      (schema) => `DELETE FROM ${schema}.dead_letters WHERE ${CHOSEN} RETURNING id, subject, payload`,
    );
    const schemas = await schemasOf(client);
    for (const { schema, id, subject, payload } of letters) {
      const publisher = schemas.find((name) => name === subject.split('.')[1]) ?? schema;
      await client.query(
        `INSERT INTO ${quoted(publisher)}.outbox (id, subject, payload, headers) VALUES ($1, $2, $3, '{}')`,
        [id, subject, payload],
      );
    }
    return [`Put ${letters.length} into the outbox, from where they are sent again.`];
  },

  async drop(client, choice) {
    const dropped = await ofChosen(
      client,
      choice,
      (schema) => `DELETE FROM ${schema}.dead_letters WHERE ${CHOSEN} RETURNING id`,
    );
    return [`Dropped ${dropped.length}.`];
  },
};

/** @returns the rows of the statement in all schemas, each with the name of its `schema` */
async function inEveryService(client, statementIn, { ids, consumer } = {}) {
  const found = [];
  for (const schema of await schemasOf(client)) {
    const { rows } = await client.query(statementIn(quoted(schema)), ids && [ids, consumer]);
    found.push(...rows.map((row) => ({ schema, ...row })));
  }
  return found;
}

async function schemasOf(client) {
  const { rows } = await client.query(
    `SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = 'dead_letters' ORDER BY 1`,
  );
  if (rows.length === 0) throw new Refusal('This database holds no schema of Loci: correct DATABASE_URL.');
  return rows.map(({ schema }) => schema);
}

/** As `inEveryService`, of letters that have to be there. */
async function ofChosen(client, choice, statementIn) {
  const found = await inEveryService(client, statementIn, choice);
  const missing = choice.ids.filter((asked) => !found.some(({ id }) => id === asked));
  if (missing.length > 0) throw new Refusal(`There is no dead letter ${missing.join(', ')}.`);
  return found;
}

const { DATABASE_URL } = process.env;
const asked = readArguments();
if (!DATABASE_URL || !asked) fail(USAGE);
const client = new pg.Client({
  connectionString: DATABASE_URL,
  application_name: 'loci-dead-letters',
  options: SCOPE_OF_ALL,
});
await client.connect();
try {
  await client.query('BEGIN');
  const lines = await COMMANDS[asked.command](client, asked.choice);
  await client.query('COMMIT');
  for (const line of lines) console.log(line);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  fail(error.message);
} finally {
  await client.end();
}

/** @returns the command, and the letters that it is for; undefined when they do not make sense */
function readArguments() {
  try {
    const options = { consumer: { type: 'string' } };
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [command = '', ...ids] = positionals;
    const isForSome = ids.length > 0 || values.consumer !== undefined;
    if (!Object.hasOwn(COMMANDS, command) || isForSome === (command === 'list')) return undefined;
    return { command, choice: { ids, consumer: values.consumer } };
  } catch {
    return undefined;
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
