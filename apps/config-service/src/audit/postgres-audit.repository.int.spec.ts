import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type AuditRecord } from '@loci/contracts';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { Projects1763700000001 } from '../migrations/0001-projects.js';
import { ApiKeys1763700000003 } from '../migrations/0003-api-keys.js';
import { PostgresAuditRepository } from './postgres-audit.repository.js';

let testDatabase: TestDatabase;
let database: Database;
let audit: PostgresAuditRepository;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: [Projects1763700000001, ApiKeys1763700000003] });
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  database = await Database.connect({ url, schema: SCHEMA, entities: [] }, logger);
  audit = new PostgresAuditRepository(new UnitOfWork(database));
});

beforeEach(() => testDatabase.query('DELETE FROM config.audit'));

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const record = (fields: Partial<AuditRecord> = {}): AuditRecord => ({
  id: uuidv7(),
  at: '2026-01-02T00:00:00.000Z',
  requestId: 'r',
  actorKind: 'api-key',
  actor: 'k',
  operation: 'POST /api/v2/memories',
  orgId: 'acme',
  projectId: 'apollo',
  resources: ['m-1', 'm-2'],
  status: 200,
  code: undefined,
  ...fields,
});

test('a record that comes twice is there once, as it was first', async () => {
  const first = record();
  await audit.add([first]);
  await audit.add([{ ...first, status: 500 }, record({ actor: 'other' })]);
  expect(await audit.list({ within: {}, limit: 9 })).toMatchObject([{ actor: 'other' }, first]);
});

test('a record without an outcome is completed by the one that has it, in whatever order they come', async () => {
  const [one, two, three] = [record(), record(), record()] as const;
  const begun = ({ id }: AuditRecord): AuditRecord => record({ id, status: undefined, resources: [] });
  await audit.add([begun(one)]);
  expect(await audit.list({ within: {}, limit: 9 })).toMatchObject([{ id: one.id, status: undefined }]);
  await audit.add([one, begun(two), two, three]);
  await audit.add([begun(three)]);
  expect(await audit.list({ within: {}, limit: 9 })).toEqual([three, two, one]);
});

test('a list has what lies within the bounds and fits every filter, newest first', async () => {
  const acme = record();
  const zeus = record({
    projectId: 'zeus',
    actor: 'ada',
    resources: ['m-3'],
    at: '2026-01-03T00:00:00.000Z',
  });
  const globex = record({ orgId: 'globex' });
  const deployment = record({ orgId: undefined, projectId: undefined, operation: 'POST /api/v2/keys' });
  await audit.add([acme, zeus, globex, deployment]);
  const listed = async (filters: object, within = {}): Promise<string[]> =>
    (await audit.list({ within, limit: 9, ...filters })).map(({ id }) => id);
  const [a, z, g, d] = [acme.id, zeus.id, globex.id, deployment.id];
  expect(await listed({})).toEqual([d, g, z, a]);
  expect(await listed({}, { orgId: 'acme' })).toEqual([z, a]);
  expect(await listed({}, { orgId: 'acme', projectId: 'zeus' })).toEqual([z]);
  expect(await listed({ actor: 'ada' })).toEqual([z]);
  expect(await listed({ operation: 'POST /api/v2/keys' })).toEqual([d]);
  expect(await listed({ resource: 'm-3' })).toEqual([z]);
  expect(await listed({ since: '2026-01-03T00:00:00Z' })).toEqual([z]);
  expect(await listed({ until: '2026-01-03T00:00:00Z' })).toEqual([d, g, a]);
  expect(await listed({ before: g, limit: 1 })).toEqual([z]);
});

test('old records go, young ones stay', async () => {
  const young = record({ at: new Date().toISOString() });
  await audit.add([record({ at: '2020-01-01T00:00:00.000Z' }), young]);
  expect(await audit.removeOlderThan(365, 10)).toBe(1);
  expect(await audit.list({ within: {}, limit: 9 })).toEqual([young]);
});
