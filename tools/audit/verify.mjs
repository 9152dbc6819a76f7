// Verifies the chain of the audit: that every record is as it was made, and that none is missing. Prints the first fault
// and ends with 1; with 2 when it cannot tell.
// Usage: DATABASE_URL=... node tools/audit/verify.mjs [--expect <seq>:<hash>]...
// What to expect is in the log of config-service ("audit head"): without it, a chain whose end was cut off, or that was made
// again, looks whole.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';

const PAGE = 1_000;
const GENESIS = createHash('sha256').update('').digest('hex');
const { DATABASE_URL } = process.env;

const instant = (column) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;

const RECORDS = `
SELECT seq::int8 AS seq, encode(prev_hash, 'hex') AS prev_hash, encode(hash, 'hex') AS hash,
       ${instant('recorded_at')}, ${instant('expires_at')}, id, ${instant('at')}, request_id, client_address, actor_kind,
       actor, actor_org_id, operation, org_id, project_id, resources, resource_count, status, code
FROM config.audit WHERE seq > $1 ORDER BY seq LIMIT ${PAGE}`;

const HASHED = [
  ...[
    'seq',
    'prev_hash',
    'recorded_at',
    'expires_at',
    'id',
    'at',
    'request_id',
    'client_address',
    'actor_kind',
    'actor',
  ],
  ...['actor_org_id', 'operation', 'org_id', 'project_id', 'resources', 'resource_count', 'status', 'code'],
];

class Fault extends Error {}

const expected = expectations();
const client = new pg.Client({
  connectionString: DATABASE_URL,
  application_name: 'loci-audit-verify',
  options: '-c loci.scope=*',
  types: { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) },
});
try {
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { records, first, last } = await verify();
  console.log(
    records === 0
      ? 'The audit is empty.'
      : `${records} records are as they were made, ${first} to ${last.seq}. Head: ${last.seq}:${last.hash}`,
  );
} catch (error) {
  console.error(error instanceof Fault ? `The audit is not whole: ${error.message}` : String(error));
  process.exitCode = error instanceof Fault ? 1 : 2;
} finally {
  await client.end();
}

async function verify() {
  let last = { seq: 0, hash: GENESIS };
  let first;
  let removed;
  let records = 0;
  const unseen = new Map(expected);
  for await (const record of allRecords()) {
    first ??= record;
    if (records === 0) last = { seq: record.seq - 1, hash: record.prev_hash };
    if (record.seq !== last.seq + 1)
      throw new Fault(`between ${last.seq} and ${record.seq} records are missing.`);
    if (record.prev_hash !== last.hash) {
      throw new Fault(`record ${record.seq} does not follow the record ${last.seq} that is there.`);
    }
    if (hashOf(record) !== record.hash) throw new Fault(`record ${record.seq} is not as it was made.`);
    if (record.actor_kind === 'system') removed = record.resources;
    compare(unseen, record);
    records += 1;
    last = record;
  }
  if (first) assertBeginning(first, removed);
  await assertEnd(last);
  for (const [seq, hash] of unseen) {
    if (first === undefined || seq >= first.seq)
      throw new Fault(`the expected record ${seq}:${hash} is missing at the end.`);
    console.error(`${seq}:${hash} cannot be compared: it is older than what is kept. Expect a later one.`);
    process.exitCode = 2;
  }
  return { records, first: first?.seq, last };
}

async function* allRecords() {
  for (let after = 0; ;) {
    const { rows } = await client.query(RECORDS, [after]);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1).seq;
  }
}

/** As config.audit_hash of PostgreSQL does it: SHA-256 of a JSON array as the type jsonb writes it. */
function hashOf(record) {
  return createHash('sha256')
    .update(jsonb(HASHED.map((column) => record[column])))
    .digest('hex');
}

function jsonb(value) {
  return Array.isArray(value) ? `[${value.map(jsonb).join(', ')}]` : JSON.stringify(value);
}

function compare(unseen, { seq, hash }) {
  const wanted = unseen.get(seq);
  if (wanted === undefined) return;
  if (wanted !== hash)
    throw new Fault(`record ${seq} has the hash ${hash} instead of ${wanted}: the chain was made anew.`);
  unseen.delete(seq);
}

/** The chain begins with its first record, or behind what retention says it has removed. */
function assertBeginning({ seq, prev_hash }, removed) {
  if (seq === 1 && prev_hash === GENESIS) return;
  if (removed?.[0] === String(seq - 1) && removed[1] === prev_hash) return;
  throw new Fault(`records before ${seq} are missing, and no removal of expired records says so.`);
}

async function assertEnd(last) {
  const { rows } = await client.query(
    `SELECT seq::int8 AS seq, encode(hash, 'hex') AS hash FROM config.audit_head`,
  );
  const [head] = rows;
  if (head?.seq === last.seq && head.hash === last.hash) return;
  throw new Fault(`the chain ends with record ${last.seq}, its head is ${head?.seq}:${head?.hash}.`);
}

function expectations() {
  const usage = 'Usage: DATABASE_URL=postgres://... node tools/audit/verify.mjs [--expect <seq>:<hash>]...';
  try {
    const { values } = parseArgs({ options: { expect: { type: 'string', multiple: true, default: [] } } });
    const pairs = values.expect.map((text) => /^(\d{1,15}):([\da-f]{64})$/.exec(text));
    if (!DATABASE_URL || pairs.includes(null)) throw new Error(usage);
    return new Map(pairs.map(([, seq, hash]) => [Number(seq), hash]));
  } catch {
    console.error(usage);
    process.exit(2);
  }
}
