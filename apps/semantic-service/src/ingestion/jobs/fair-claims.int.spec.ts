import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JsonRequest, type LanguageModel } from '@loci/models';
import { ROWS_OF_ALL } from '@loci/persistence';
import { eventually } from '@loci/testing';
import { type IngestionReplica, IngestionSpec, type World } from '../../../test/ingestion-spec.js';
import { rowsRead } from '../../../test/rows-read.js';
import { FIND_IDLE_ORGS } from './find-idle-orgs.sql.js';
import { REMOVE_IDLE_QUEUES } from './remove-idle-queues.sql.js';

const JOBS = 'semantic.ingestion_jobs';

/** A model that answers every question with a feature, or never. */
class StandIn {
  private readonly waiting: (() => void)[] = [];
  readonly model: LanguageModel;

  constructor(value: string, hangs: boolean) {
    const commands = [{ command: 'add', tag: 'facts', feature: 'fact', value, messages: [1] }];
    const generateJson = async ({ schemaName }: JsonRequest): Promise<{ value: unknown }> => {
      if (hangs) await new Promise<void>((resolve) => this.waiting.push(resolve));
      return { value: schemaName === 'memory_commands' ? { commands } : {} };
    };
    this.model = { name: value, generateJson } as unknown as LanguageModel;
  }

  get calls(): number {
    return this.waiting.length;
  }

  letGo(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

let world: World;
let spec: IngestionSpec;
let one: IngestionReplica;

beforeAll(async () => {
  world = {
    triggers: { messages: 1, ageSeconds: 300 },
    categories: ['profile'],
    isOn: true,
    model: () => Promise.reject(new Error('none here')),
    prices: undefined,
  };
  spec = await IngestionSpec.create(world);
  one = await spec.replica();
});

afterAll(() => spec.close());

beforeEach(async () => {
  world.triggers = { messages: 1, ageSeconds: 300 };
  delete world.ready;
  for (const table of ['jobs', 'orgs', 'queues']) {
    await spec.database.query(`DELETE FROM semantic.ingestion_${table}`);
  }
});

/** Sets of an organization that are due, without messages. */
const due = (orgId: string, count: number): Promise<unknown> =>
  spec.database.query(
    `WITH made AS (INSERT INTO semantic.sets (uid) SELECT gen_random_uuid() FROM generate_series(1, $2::int) RETURNING uid)
     INSERT INTO ${JOBS} (set_uid, org_id, project_uid, state, ordered_at, run_after)
     SELECT uid, $1, md5($1)::uuid, 'due', now(), now() - interval '1 hour' FROM made`,
    [orgId, count],
  );

const claimedOrgs = async (count: number, weightOf?: (orgId: string) => number): Promise<string[]> => {
  const orgs: string[] = [];
  for (let claims = 0; claims < count; claims += 1) {
    const claim = await one.jobs.claim(60_000, weightOf && { weightOf });
    if (claim) orgs.push(claim.orgId);
  }
  return orgs;
};

const countOf = (orgs: readonly string[], org: string): number => orgs.filter((one) => one === org).length;

describe('claims go round the organizations', () => {
  test('a new one is among the first two, behind 5,000 due sets of another one', async () => {
    await due('flood', 5_000);
    await claimedOrgs(50);
    await due('new', 1);
    expect(await claimedOrgs(2)).toContain('new');
  });

  test('each gets as many as its weight, however many sets are due', async () => {
    await due('heavy', 20);
    await due('many', 200);
    const orgs = await claimedOrgs(16, (orgId) => (orgId === 'heavy' ? 3 : 1));
    expect(countOf(orgs, 'heavy')).toBe(12);
    expect(countOf(orgs, 'many')).toBe(4);
  });

  test('one whose passes take ten times as long gets a tenth of the turns', async () => {
    await due('slow', 100);
    await due('quick', 100);
    const orgs: string[] = [];
    for (let claims = 0; claims < 44; claims += 1) {
      const claim = await one.jobs.claim(60_000);
      if (!claim) throw new Error('Nothing is due.');
      orgs.push(claim.orgId);
      await one.jobs.charge(claim, claim.orgId === 'slow' ? 1 : 0.1);
    }
    expect(Math.abs(countOf(orgs, 'slow') - 4)).toBeLessThanOrEqual(1);
  });

  test('one that is full is passed over, and one whose sets are all done is forgotten', async () => {
    await due('full', 2);
    await due('other', 1);
    const claim = await one.jobs.claim(60_000, { exceptOrgs: ['full'] });
    expect(claim?.orgId).toBe('other');
    expect(await one.jobs.claim(60_000, { exceptOrgs: ['full'] })).toBeUndefined();
    await one.jobs.removeIdleQueues(100);
    const left = await spec.database.query(`SELECT org_id FROM semantic.ingestion_orgs`);
    expect(left).toEqual([{ org_id: 'full' }]);
    await due('other', 1);
    expect(await claimedOrgs(3)).toEqual(expect.arrayContaining(['full', 'full', 'other']));
  });
});

test('however many sets have been due for long, one order at a time makes up for those that were lost', async () => {
  await due('flood', 600);
  await spec.database.query(`UPDATE ${JOBS} SET ordered_at = now() - interval '1 minute'`);
  const { triggers } = world;
  const schedule = { triggers, readyModels: [], lostAfterMs: 5_000, underWay: [], limit: 500 };
  expect(await one.unitOfWork.run((tx) => one.jobs.schedule(schedule, tx))).toHaveLength(1);
});

test('claims and looks are index lookups among tens of thousands of sets', async () => {
  world.triggers = { messages: 5, ageSeconds: 300 };
  await spec.database.query(
    `WITH made AS (INSERT INTO semantic.sets (uid) SELECT gen_random_uuid() FROM generate_series(1, 20000) RETURNING uid)
     INSERT INTO ${JOBS} (set_uid, org_id, waiting, fresh, fresh_since) SELECT uid, 'quiet', 1, 1, now() FROM made`,
  );
  await spec.database.query(
    `WITH made AS (INSERT INTO semantic.sets (uid) SELECT gen_random_uuid() FROM generate_series(1, 20000) RETURNING uid)
     INSERT INTO ${JOBS} (set_uid, org_id, waiting, state, code, run_after)
     SELECT uid, 'modelless', 1, 'blocked', 'resource_not_ready', now() - interval '1 hour' FROM made`,
  );
  // what is due lies last: a scan of the table from its beginning reads all others first
  await due('flood', 20_000);
  world.ready = [];
  await spec.database.query(`ANALYZE ${JOBS}`);
  // on the connection that claims and looks: what it counted so far becomes visible with its next statement
  const scanned = async (): Promise<number> => {
    const [row] = await one.unitOfWork.single(async (manager) => {
      await manager.query('SELECT pg_stat_force_next_flush()');
      return manager.query<{ scanned: number }[]>(
        `SELECT pg_stat_get_tuples_returned('${JOBS}'::regclass)::float8 AS scanned`,
      );
    });
    return row?.scanned ?? 0;
  };
  const before = await scanned();
  expect(await claimedOrgs(3)).toEqual(['flood', 'flood', 'flood']);
  expect(await one.scheduler.look()).toBe(0);
  // rows that sequential scans returned
  expect((await scanned()) - before).toBeLessThan(1_000);
});

test('whether queues have anything due is one lookup for each, though PostgreSQL takes hardly any set to be due', async () => {
  await spec.database.query(`ALTER TABLE ${JOBS} SET (autovacuum_enabled = false)`);
  await spec.database.query(
    `WITH made AS (INSERT INTO semantic.sets (uid) SELECT gen_random_uuid() FROM generate_series(1, 2000) RETURNING uid)
     INSERT INTO ${JOBS} (set_uid, org_id, project_uid, state) SELECT uid, 'wide', gen_random_uuid(), 'idle' FROM made`,
  );
  await spec.database.query(`ANALYZE ${JOBS}`);
  await spec.database.query(
    `UPDATE ${JOBS} SET state = 'due', ordered_at = now(), run_after = now() - interval '1 hour'`,
  );
  const read = (sql: string, values: readonly unknown[], table: string): Promise<number> =>
    rowsRead(one.unitOfWork, sql, values, ROWS_OF_ALL, table);
  expect(await read(FIND_IDLE_ORGS.text, [200], 'ingestion_jobs')).toBeLessThanOrEqual(200);
  expect(await read(FIND_IDLE_ORGS.text, [200], 'ingestion_queues')).toBeLessThanOrEqual(1 + 2_000);
  expect(await read(REMOVE_IDLE_QUEUES.text, [['wide']], 'ingestion_jobs')).toBeLessThanOrEqual(2_000);
  await spec.database.query(`ALTER TABLE ${JOBS} RESET (autovacuum_enabled)`);
});

describe('a model that hangs', () => {
  test('leaves another organization its turn', async () => {
    const [hung, well] = [new StandIn('hung', true), new StandIn('learned', false)];
    world.model = (name) => Promise.resolve(name === 'well' ? well.model : hung.model);
    for (let sets = 0; sets < 6; sets += 1) {
      await spec.say(one, await spec.newSet('slow'), ['message'], { orgId: 'slow' });
    }
    one.workers.wake();
    await eventually(() => Promise.resolve(hung.calls === 2), { what: 'the organization has its share' });
    const set = await spec.newSet('well');
    await spec.say(one, set, ['message'], { orgId: 'healthy' });
    one.workers.wake();
    await eventually(async () => (await spec.job(set)).waiting === 0, { what: 'the other one is ingested' });
    expect((await spec.features(set)).map(({ value }) => value)).toEqual(['learned']);
    expect(hung.calls).toBe(2);
    world.isOn = false;
    hung.letGo();
    await one.workers.stop();
    world.isOn = true;
  });

  test('leaves other models their turn, in whichever organization', async () => {
    const two = await spec.replica();
    const [hung, well] = [new StandIn('hung', true), new StandIn('learned', false)];
    world.model = (name) => Promise.resolve(name === 'well' ? well.model : hung.model);
    for (const orgId of ['a', 'b', 'c', 'd']) {
      await spec.say(two, await spec.newSet(), ['message'], { orgId });
    }
    const set = await spec.newSet('well');
    await spec.say(two, set, ['message'], { orgId: 'a' });
    two.workers.wake();
    await eventually(async () => (await spec.job(set)).waiting === 0, { what: 'the other model is asked' });
    expect(hung.calls).toBe(2);
    world.isOn = false;
    hung.letGo();
    await two.workers.stop();
    world.isOn = true;
  });
});
