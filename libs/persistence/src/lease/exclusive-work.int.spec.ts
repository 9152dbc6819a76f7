import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { SpecDatabase } from '../../test/spec-database.js';
import { ExclusiveWork } from './exclusive-work.js';
import { SetAsideMetrics } from './set-aside-metrics.js';
import { WorkLeases } from './work-leases.js';

const LEASE_MS = 60_000;
const KIND = 'erasure';

const run = promisify(execFile);

let database: SpecDatabase;
let leases: WorkLeases;
let done: string[];

beforeAll(async () => {
  database = await SpecDatabase.create();
  const unitOfWork = await database.open();
  leases = new WorkLeases(database.options, unitOfWork);
  new SetAsideMetrics(database.metrics, unitOfWork, database.schema, []);
});

afterAll(() => database.drop());

beforeEach(async () => {
  await database.query('TRUNCATE spec.work_leases');
  done = [];
});

const replica = (): ExclusiveWork => new ExclusiveWork(KIND, leases, LEASE_MS, database.logger);

const doing = (key: string) => (): Promise<void> => Promise.resolve(void done.push(key));

/** A worker begins, and dies; its lease runs out at once. */
const die = async (key: string): Promise<boolean> => (await leases.claim(KIND, key, -1)) !== undefined;

const operator = async (...args: string[]): Promise<string> => {
  const env = { ...process.env, DATABASE_URL: database.url };
  return (await run(process.execPath, ['tools/set-aside.mjs', ...args], { env })).stdout;
};

test('work that ended its process three times is set aside and shown; other work goes on; an operator has it tried again', async () => {
  const work = replica();
  for (let deaths = 0; deaths < 3; deaths += 1) expect(await die('deadly')).toBe(true);
  expect(await work.run('deadly', doing('deadly'))).toBe('set-aside');
  expect(await work.run('other', doing('other'))).toBe('done');
  expect(done).toEqual(['other']);
  expect(await database.metrics.render()).toContain('work_set_aside{kind="erasure",service="spec"} 1');
  expect(await operator('list')).toContain('spec  erasure  deadly');
  await operator('retry', KIND, 'deadly');
  expect(await work.run('deadly', doing('deadly'))).toBe('done');
  expect(await operator('list')).toBe('0 set aside.\n');
  expect(await database.metrics.render()).not.toContain('work_set_aside{');
});

test('work that fails is no work that ended its process', async () => {
  const work = replica();
  for (let failures = 0; failures < 4; failures += 1) {
    await expect(work.run('a', () => Promise.reject(new Error('It failed.')))).rejects.toThrow('It failed.');
  }
  expect(await work.run('a', doing('a'))).toBe('done');
  expect(await database.query('SELECT FROM spec.work_leases')).toEqual([]);
});

test('one worker does it at a time; what it does when told to stop is not counted', async () => {
  const [one, two] = [replica(), replica()];
  const stopping = new AbortController();
  let hasBegun = false;
  const first = one.run('a', async () => {
    hasBegun = true;
    await new Promise<void>((resolve) => {
      stopping.signal.addEventListener('abort', () => resolve());
    });
  });
  await eventually(() => Promise.resolve(hasBegun), { what: 'the work has begun' });
  expect(await two.run('a', doing('a'))).toBe('busy');
  await one.stop();
  expect(await database.query('SELECT unfinished FROM spec.work_leases')).toEqual([{ unfinished: 0 }]);
  const second = one.run('b', doing('b'));
  stopping.abort();
  expect(await first).toBe('done');
  expect(await second).toBe('busy');
  expect(done).toEqual([]);
});
