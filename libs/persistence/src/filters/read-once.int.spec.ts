import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Filter } from '@loci/contracts';
import pg from 'pg';
import { filterToSql } from './filter-to-sql.js';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
  await client.connect();
  await client.query(
    `CREATE TEMP SEQUENCE reads;
     CREATE FUNCTION pg_temp.read(given jsonb) RETURNS jsonb LANGUAGE sql VOLATILE
       AS $$ SELECT given || jsonb_build_object('reads', nextval('reads')::text) $$`,
  );
});

afterAll(() => client.end());

test('however many tests a filter has, the metadata of a row are read once', async () => {
  const tests = Array.from({ length: 120 }, (_, n): Filter => ({
    op: 'compare',
    field: { kind: 'metadata', key: `key ${n}` },
    comparison: n % 2 === 0 ? '=' : '<',
    value: n % 3 === 0 ? { type: 'number', value: n } : { type: 'string', value: String(n) },
  }));
  const { sql, parameters } = filterToSql(
    { op: 'or', args: [...tests, { op: 'not', arg: { op: 'and', args: tests } }] },
    { metadata: 'pg_temp.read(metadata)', fields: {} },
    1,
  );
  const { rows } = await client.query<{ held: string }>(
    `SELECT count(*) FILTER (WHERE ${sql}) AS held
     FROM (SELECT jsonb_build_object('key 1', n::text) AS metadata FROM generate_series(1, 50) AS n) AS stored`,
    parameters,
  );
  const reads = await client.query<{ last_value: string }>('SELECT last_value FROM reads');
  expect([rows[0]?.held, reads.rows[0]?.last_value]).toEqual(['50', '50']);
});
