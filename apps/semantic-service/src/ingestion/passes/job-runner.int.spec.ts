import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JsonRequest, type LanguageModel } from '@loci/models';
import { type IngestionReplica, IngestionSpec, type World } from '../../../test/ingestion-spec.js';
import { MAX_BATCH } from '../jobs/retry-plan.js';

const LONG_MS = 600_000;
const THREE_BATCHES = 2 * MAX_BATCH + 1;

let world: World;
let spec: IngestionSpec;
let one: IngestionReplica;
let set: string;
let calls: number;
/** What happens while the model is asked for the first time. */
let meanwhile: () => Promise<void> | void;

const model = {
  name: 'gpt',
  generateJson: async ({ schemaName }: JsonRequest): Promise<{ value: unknown }> => {
    calls += 1;
    if (calls === 1) await meanwhile();
    const noted = { command: 'add', tag: 'facts', feature: `fact ${calls}`, value: 'learned', messages: [1] };
    return { value: schemaName === 'memory_commands' ? { commands: [noted] } : {} };
  },
} as unknown as LanguageModel;

const say = async (setUid: string, messages: number): Promise<void> => {
  const texts = Array.from({ length: messages }, (_, index) => `message ${index}`);
  await spec.say(one, setUid, texts);
};

const attempts = async (): Promise<number> => {
  const [row] = await spec.database.query<{ attempt: string }>(
    'SELECT attempt FROM semantic.ingestion_jobs WHERE set_uid = $1',
    [set],
  );
  return Number(row?.attempt);
};

beforeAll(async () => {
  world = {
    triggers: { messages: 2, ageSeconds: 300 },
    categories: ['profile'],
    isOn: true,
    model: () => Promise.resolve(model),
    prices: undefined,
  };
  spec = await IngestionSpec.create(world);
  one = await spec.replica({ goOnMs: LONG_MS });
});

afterAll(() => spec.close());

beforeEach(async () => {
  world.isOn = true;
  await one.drain();
  calls = 0;
  meanwhile = () => undefined;
  set = await spec.newSet();
  await say(set, THREE_BATCHES);
});

describe('passes over a set', () => {
  test('follow one another under one claim while nothing else is due', async () => {
    await one.runner.runNext();
    expect({ calls, attempts: await attempts() }).toEqual({ calls: 3, attempts: 1 });
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect((await spec.features(set)).map(({ name }) => name)).toEqual(['fact 1', 'fact 2', 'fact 3']);
  });

  test('end with the time for them', async () => {
    const hurried = await spec.replica();
    await hurried.runner.runNext();
    expect(calls).toBe(1);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: THREE_BATCHES - MAX_BATCH });
  });

  test('make way for another set that became due, whose turn comes first', async () => {
    const other = await spec.newSet();
    meanwhile = () => say(other, 2);
    await one.runner.runNext();
    expect(calls).toBe(1);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: THREE_BATCHES - MAX_BATCH });
    await one.runner.runNext();
    expect(await spec.job(other)).toMatchObject({ state: 'idle', waiting: 0 });
  });

  test('end when ingestion is switched off', async () => {
    meanwhile = () => void (world.isOn = false);
    await one.runner.runNext();
    expect(calls).toBe(1);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: THREE_BATCHES - MAX_BATCH });
  });

  test('are each a claim of its own where one ended with its process', async () => {
    await one.jobs.claim(LONG_MS);
    await spec.database.query(
      `UPDATE semantic.ingestion_jobs SET lease_until = now() - interval '1 s' WHERE set_uid = $1`,
      [set],
    );
    await one.scheduler.look();
    await one.runner.runNext();
    expect(calls).toBe(1);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: THREE_BATCHES - MAX_BATCH });
  });

  test('that go on take fewer statements than those of claims of their own', async () => {
    const together = await one.statementsOf(() => one.runner.runNext());
    const apart = await spec.replica();
    await say(set, THREE_BATCHES);
    const separately = await apart.statementsOf(() => apart.drain());
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect(separately - together).toBeGreaterThanOrEqual(2 * 10);
  });
});
