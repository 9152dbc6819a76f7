import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AuditRecord } from '@loci/contracts';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { auditRecord, type PlanRow, rowsReadBy, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { AUDIT_HORIZON, LOOKED_THROUGH } from './audit-horizon.sql.js';
import { AuditRepository } from './audit.repository.js';
import { LIST_AUDIT } from './list-audit.sql.js';

let testDatabase: TestDatabase;
let database: Database;
let audit: AuditRepository;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: MIGRATIONS });
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, logger);
  audit = new AuditRepository(new UnitOfWork(database));
});

beforeEach(async () => {
  await testDatabase.query('DELETE FROM config.audit');
  await testDatabase.query(`UPDATE config.audit_head SET seq = 0, hash = sha256('')`);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const KEEP_DAYS = 365;
const EXPIRED = -1;

const SWAP = [
  'UPDATE config.audit SET seq = 99 WHERE seq = 2',
  'UPDATE config.audit SET seq = 2 WHERE seq = 3',
  'UPDATE config.audit SET seq = 3 WHERE seq = 99',
].join(';');

const REHASH = [
  `UPDATE config.audit SET actor = 'innocent' WHERE seq = 2`,
  'UPDATE config.audit changed SET hash = config.audit_hash(changed) WHERE seq = 2',
].join(';');

const rowsReadOf = (text: string, values: readonly unknown[]): Promise<number> =>
  rowsReadBy((statement, parameters) => testDatabase.query<PlanRow>(statement, parameters), text, values);

const record = (fields: Partial<AuditRecord> = {}): AuditRecord =>
  auditRecord({
    id: uuidv7(),
    clientAddress: '203.0.113.9',
    actorOrgId: 'acme',
    orgId: 'acme',
    projectId: 'apollo',
    resources: ['m-1', 'm-2'],
    resourceCount: 2,
    code: undefined,
    ...fields,
  });

test('a record that comes twice is there once, as it was first', async () => {
  const first = record();
  await audit.append([first], KEEP_DAYS);
  await audit.append([{ ...first, status: 500 }, record({ actor: 'other' })], KEEP_DAYS);
  expect(await audit.list({ within: {}, limit: 9 })).toMatchObject([{ actor: 'other' }, first]);
});

test('a record without an outcome is completed by the one that has it, whichever comes first', async () => {
  const [one, two, three] = [record(), record(), record()] as const;
  const begun = ({ id }: AuditRecord): AuditRecord => record({ id, status: undefined, resources: [] });
  await audit.append([begun(one)], KEEP_DAYS);
  expect(await audit.list({ within: {}, limit: 9 })).toMatchObject([{ id: one.id, status: undefined }]);
  await audit.append([one, begun(two), two, three], KEEP_DAYS);
  await audit.append([begun(three)], KEEP_DAYS);
  expect(await audit.list({ within: {}, limit: 9 })).toEqual([three, two, one]);
});

test('a list has what lies within the bounds and fits every filter, newest first', async () => {
  const now = Date.now();
  const [at, later] = [new Date(now).toISOString(), new Date(now + 1_000).toISOString()];
  const acme = record({ at });
  const zeus = record({ projectId: 'zeus', actor: 'ada', resources: ['m-3'], at: later });
  const globex = record({ at, orgId: 'globex' });
  const operation = 'POST /api/v2/keys';
  const deployment = record({ at, orgId: undefined, projectId: undefined, operation });
  await audit.append([acme, zeus, globex, deployment], KEEP_DAYS);
  const listed = async (filters: object, within = {}): Promise<string[]> =>
    (await audit.list({ within, limit: 9, ...filters })).map(({ id }) => id);
  const [a, z, g, d] = [acme.id, zeus.id, globex.id, deployment.id];
  expect(await listed({})).toEqual([d, g, z, a]);
  expect(await listed({}, { orgId: 'acme' })).toEqual([z, a]);
  expect(await listed({}, { orgId: 'acme', projectId: 'zeus' })).toEqual([z]);
  expect(await listed({ actor: 'ada' })).toEqual([z]);
  expect(await listed({ operation })).toEqual([d]);
  expect(await listed({ resource: 'm-3' })).toEqual([z]);
  expect(await listed({ since: later })).toEqual([z]);
  expect(await listed({ until: later })).toEqual([d, g, a]);
  expect(await listed({ before: g, limit: 1 })).toEqual([z]);
});

test('a list that finds little looks through a bounded number of records, and says from where to go on', async () => {
  const old = record({ actor: 'ada' });
  await audit.append([old], KEEP_DAYS);
  await testDatabase.query(
    `INSERT INTO config.audit
     SELECT (jsonb_populate_record(one, jsonb_build_object('seq', seq + n, 'actor', 'k', 'id', overlay(
       gen_random_uuid()::text PLACING '7fffffff' FROM 1 FOR 8)))).*
     FROM config.audit AS one, generate_series(1, $1::int) AS n`,
    [2 * LOOKED_THROUGH],
  );
  await testDatabase.query('VACUUM ANALYZE config.audit');
  const request = { within: { orgId: 'acme', projectId: 'apollo' }, actor: 'ada', limit: 9 };
  const horizon = await audit.horizon(request);
  expect(await audit.list(request, horizon)).toEqual([]);
  const next = await audit.horizon({ ...request, before: horizon });
  expect(await audit.list({ ...request, before: horizon }, next)).toEqual([]);
  expect(await audit.horizon({ ...request, before: next })).toBeUndefined();
  expect(await audit.list({ ...request, before: next })).toEqual([old]);
  const ofProject = ['acme', 'apollo', null, null, null];
  expect(await rowsReadOf(AUDIT_HORIZON.text, ofProject)).toBeLessThanOrEqual(LOOKED_THROUGH);
  const values = ['acme', 'apollo', 'ada', null, null, null, null, null, 9, horizon, null];
  expect(await rowsReadOf(LIST_AUDIT.text, values)).toBeLessThanOrEqual(LOOKED_THROUGH);
});

test('what ids say of times leaves out no record of them', async () => {
  const msecs = Date.parse('2026-01-02T00:00:00Z');
  const day = 86_400_000;
  const ids = [0, 1, 2].map((days) => uuidv7({ msecs: msecs + days * day }));
  const records = ids.map((id, days) => record({ id, at: new Date(msecs + days * day).toISOString() }));
  await audit.append(records, KEEP_DAYS);
  const [since, until] = [new Date(msecs + day).toISOString(), new Date(msecs + 2 * day).toISOString()];
  expect(await audit.list({ within: { orgId: 'acme' }, since, until, limit: 9 })).toEqual([records[1]]);
});

test('what expired is removed from the beginning, up to the first record that did not, whatever comes behind it', async () => {
  const [old, older, kept] = [record(), record(), record()] as const;
  await audit.append([old, older], EXPIRED);
  await audit.append([kept], KEEP_DAYS);
  await audit.append([record()], EXPIRED);
  expect(await audit.removeExpired(KEEP_DAYS, 1)).toBe(1);
  expect(await audit.removeExpired(KEEP_DAYS, 10)).toBe(1);
  expect(await audit.removeExpired(KEEP_DAYS, 10)).toBe(0);
  const listed = await audit.list({ within: {}, limit: 9 });
  expect(listed.filter(({ actorKind }) => actorKind !== 'system')).toHaveLength(2);
  expect(listed.filter(({ actorKind }) => actorKind === 'system')).toMatchObject([
    { operation: 'remove expired audit', resources: ['2', expect.any(String)] },
    { operation: 'remove expired audit', resources: ['1', expect.any(String)] },
  ]);
  expect((await verify()).code).toBe(0);
});

test('only the system itself records that records were removed', async () => {
  await expect(audit.append([record({ actorKind: 'system' })], KEEP_DAYS)).rejects.toThrow(/by the system/);
});

describe('npm run audit:verify', () => {
  const COLUMNS =
    'id, at, request_id, client_address, actor_kind, actor, actor_org_id, operation, org_id, project_id, ' +
    'resources, resource_count, status, code';

  beforeEach(async () => {
    const names = ['plain', 'quote " and \\ and \n', 'ключ 𝒳 \u2028', 'del \u007f tab \t bell \u0007'];
    const records = names.map((actor) => record({ actor, resources: [actor, 'm-2'], code: undefined }));
    await audit.append(records.slice(0, 2), KEEP_DAYS);
    // what comes twice is there once, and leaves no gap
    await audit.append(records, KEEP_DAYS);
    await audit.append([record({ orgId: undefined, projectId: undefined, status: undefined })], KEEP_DAYS);
  });

  test('accepts an unchanged chain, whatever is in it', async () => {
    const { code, printed } = await verify();
    const { seq, hash } = await audit.head();
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `5 records are as they were made, 1 to 5. Head: ${seq}:${hash}\n`,
    });
    expect(await verify('--expect', `${seq}:${hash}`)).toMatchObject({ code: 0 });
  });

  test.each([
    ['one is removed', 'DELETE FROM config.audit WHERE seq = 3', 'between 2 and 4 records are missing'],
    ['the first one is removed', 'DELETE FROM config.audit WHERE seq = 1', 'records before 2 are missing'],
    ['the last one is removed', 'DELETE FROM config.audit WHERE seq = 5', 'the chain ends with record 4'],
    ['all are removed', 'DELETE FROM config.audit', 'the chain ends with record 0'],
    ['one is changed', `UPDATE config.audit SET actor = 'innocent' WHERE seq = 2`, 'record 2 is not as'],
    ['an outcome is changed', `UPDATE config.audit SET status = 403 WHERE seq = 4`, 'record 4 is not as'],
    [
      'one is made to expire',
      `UPDATE config.audit SET expires_at = now() WHERE seq = 1`,
      'record 1 is not as',
    ],
    ['two are swapped', SWAP, 'record 2 does not follow'],
    ['one is changed with its hash', REHASH, 'record 3 does not follow'],
    [
      'one is put in',
      `INSERT INTO config.audit SELECT 6, hash, hash, recorded_at, expires_at, gen_random_uuid(), ${COLUMNS.slice(4)}
       FROM config.audit WHERE seq = 5`,
      'record 6 is not as',
    ],
  ])('prints the first fault and fails when %s', async (_, sql, fault) => {
    await testDatabase.query(sql);
    const { code, printed } = await verify();
    expect({ code, printed }).toEqual({ code: 1, printed: expect.stringContaining(fault) });
  });

  test('fails when the end was cut off with its head, if it knows what to expect', async () => {
    const { seq, hash } = await audit.head();
    await testDatabase.query('DELETE FROM config.audit WHERE seq = 5');
    await testDatabase.query(
      'UPDATE config.audit_head SET (seq, hash) = (SELECT seq, hash FROM config.audit WHERE seq = 4)',
    );
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await verify('--expect', `${seq}:${hash}`)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('is missing at the end'),
    });
  });

  test('fails when the chain was made anew, if it knows what to expect', async () => {
    const { seq, hash } = await audit.head();
    const listed = await audit.list({ within: {}, limit: 9 });
    await testDatabase.query('DELETE FROM config.audit');
    await testDatabase.query(`UPDATE config.audit_head SET seq = 0, hash = sha256('')`);
    await audit.append(listed, KEEP_DAYS);
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await verify('--expect', `${seq}:${hash}`)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('was made anew'),
    });
  });

  test('ends with 2 when it is asked for what it does not understand', async () => {
    expect(await verify('--expect', '5')).toMatchObject({
      code: 2,
      printed: expect.stringContaining('Usage'),
    });
  });
});

/** A removal as the retention would have it, but of records that are not expired, is not one. */
test('a prefix that was not removed by retention is missing, although retention removed another', async () => {
  await audit.append([record(), record()], EXPIRED);
  await audit.removeExpired(KEEP_DAYS, 10);
  await audit.append([record(), record()], KEEP_DAYS);
  expect((await verify()).code).toBe(0);
  await testDatabase.query('DELETE FROM config.audit WHERE seq <= 4');
  expect(await verify()).toMatchObject({ code: 1, printed: expect.stringContaining('records before 5') });
});

test('an expected record that is older than what is kept is nothing to compare with', async () => {
  await audit.append([record(), record()], EXPIRED);
  const { seq, hash } = await audit.head();
  await audit.removeExpired(KEEP_DAYS, 10);
  await audit.append([record(), record()], KEEP_DAYS);
  expect(await verify('--expect', `${seq}:${hash}`)).toMatchObject({ code: 2 });
});

test('appends from many connections make one chain', async () => {
  const appends = Array.from({ length: 40 }, () => audit.append([record(), record()], KEEP_DAYS));
  await Promise.all(appends);
  expect(await verify()).toMatchObject({ code: 0, printed: expect.stringContaining('80 records') });
});

async function verify(...options: string[]): Promise<{ code: number; printed: string }> {
  const program = join(process.cwd(), 'tools/audit/verify.mjs');
  const env = { ...process.env, DATABASE_URL: testDatabase.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...options], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), printed: `${stdout}${stderr}` });
    });
  });
}
