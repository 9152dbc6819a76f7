import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type JsonRequest, type LanguageModel } from '@loci/models';
import { eventually } from '@loci/testing';
import { type IngestionReplica, IngestionSpec, type World } from '../../../test/ingestion-spec.js';
import { type NewClaim } from '../jobs/job.js';

const MESSAGES = ['one', 'two'];

let world: World;
let spec: IngestionSpec;
let one: IngestionReplica;
/** What the model was asked for, and what it does before it answers. */
let asked: string[];
let beforeAnswer: () => Promise<void>;

const model = {
  name: 'gpt',
  generateJson: async ({ schemaName, messages }: JsonRequest): Promise<{ value: unknown }> => {
    asked.push(JSON.stringify(messages));
    await beforeAnswer();
    const noted = { command: 'add', tag: 'facts', feature: 'fact', value: 'learned', messages: [1] };
    const commands = world.categories.map((category) => ({ category, ...noted }));
    return { value: schemaName === 'memory_commands' ? { commands } : {} };
  },
} as unknown as LanguageModel;

beforeAll(async () => {
  world = {
    triggers: { messages: 2, ageSeconds: 300 },
    categories: ['profile', 'work'],
    isOn: true,
    model: () => Promise.resolve(model),
    prices: undefined,
  };
  spec = await IngestionSpec.create(world);
});

afterAll(() => spec.close());

beforeEach(async () => {
  asked = [];
  beforeAnswer = () => Promise.resolve();
  one = await spec.replica();
});

const unfinished = async (setUid: string): Promise<number> => {
  const [row] = await spec.database.query<{ unfinished: number }>(
    `SELECT unfinished FROM semantic.ingestion_jobs WHERE set_uid = $1`,
    [setUid],
  );
  if (!row) throw new Error('no job');
  return row.unfinished;
};

const claim = async (replica: IngestionReplica): Promise<NewClaim> => {
  const claimed = await replica.runner.claim();
  if (!claimed) throw new Error('nothing is due');
  return claimed;
};

/** The leases run out, and what was claimed is due again. */
const expire = async (...sets: readonly string[]): Promise<void> => {
  await spec.database.query(
    `UPDATE semantic.ingestion_jobs SET lease_until = now() - interval '1 s'
     WHERE state = 'running' AND set_uid = ANY($1)`,
    [sets],
  );
  await one.scheduler.look();
};

/** A process begins a pass over each due set that it may begin with, and ends in the middle of it. */
const die = async (...sets: readonly string[]): Promise<void> => {
  const replica = await spec.replica();
  for (;;) {
    const claimed = await replica.jobs.claim(30_000);
    if (!claimed) break;
    if (claimed.unfinished > 0) await replica.jobs.begin(claimed);
  }
  await expire(...sets);
};

const lettersOf = async (
  setUid: string,
): Promise<
  { uid: string; category: string; code: string; reason: string; episodeUids: readonly string[] }[]
> =>
  (await one.letters.list(spec.owner, { offset: 0, limit: 100 })).letters.filter(
    ({ setId }) => setId === setUid,
  );

test('what ended its process three times is a dead letter; other sets, and what is said later, go on', async () => {
  const [deadly, other] = [await spec.newSet(), await spec.newSet()];
  const uids = await spec.say(one, deadly, MESSAGES);
  for (const deaths of [1, 2, 3]) {
    await die(deadly);
    expect(await unfinished(deadly)).toBe(deaths);
  }
  await spec.say(one, other, MESSAGES);
  await one.drain();
  expect((await spec.features(other)).map(({ value }) => value)).toEqual(['learned', 'learned']);
  expect(await lettersOf(other)).toEqual([]);
  const letters = await lettersOf(deadly);
  expect(letters.map(({ category }) => category).sort()).toEqual(['profile', 'work']);
  for (const letter of letters) {
    expect(letter).toMatchObject({ code: 'process_ended' });
    expect(letter.reason).toContain('3 times in a row');
    expect([...letter.episodeUids].sort()).toEqual([...uids].sort());
  }
  // one call for all categories of the other set
  expect(asked).toHaveLength(1);
  expect(await spec.job(deadly)).toMatchObject({ state: 'idle', waiting: 0 });
  await spec.say(one, deadly, ['three', 'four']);
  await one.drain();
  expect(asked).toHaveLength(2);
  expect(await spec.job(deadly)).toMatchObject({ state: 'idle', waiting: 0 });
  for (const { uid } of letters) await one.letters.replay(spec.owner, uid, one.once);
  await one.drain();
  expect(asked).toHaveLength(3);
  expect(await lettersOf(deadly)).toEqual([]);
});

test('two deaths are forgotten when the third pass ends in an orderly way, a failed one included', async () => {
  const set = await spec.newSet();
  await spec.say(one, set, MESSAGES);
  await die(set);
  await die(set);
  beforeAnswer = () => Promise.reject(new Error('the provider is down'));
  await one.drain();
  expect(await unfinished(set)).toBe(0);
  expect(await lettersOf(set)).toEqual([]);
  beforeAnswer = () => Promise.resolve();
  for (let rounds = 0; rounds < 20 && (await spec.job(set)).waiting > 0; rounds += 1) {
    await spec.skipPauses();
    await one.scheduler.look();
    await one.drain();
  }
  expect(await spec.job(set)).toMatchObject({ waiting: 0 });
});

test('a set with an unfinished pass is worked on with no other beside it, so that no other one is counted', async () => {
  const [suspect, other] = [await spec.newSet(), await spec.newSet()];
  await spec.say(one, suspect, MESSAGES);
  await die(suspect);
  let isAnswering = false;
  const answers = new AbortController();
  beforeAnswer = async () => {
    isAnswering = true;
    if (!answers.signal.aborted) {
      await new Promise<void>((resolve) => {
        answers.signal.addEventListener('abort', () => {
          resolve();
        });
      });
    }
  };
  const alone = one.runner.work(await claim(one));
  await eventually(() => Promise.resolve(isAnswering), { what: 'the suspect is worked on' });
  await spec.say(one, other, MESSAGES);
  const beside = one.runner.claim();
  expect(await unfinished(other)).toBe(0);
  expect(await spec.job(other)).toMatchObject({ state: 'due' });
  answers.abort();
  await alone;
  expect(await unfinished(suspect)).toBe(0);
  const claimed = await beside;
  expect(claimed?.setUid).toBe(other);
  if (claimed) await one.runner.work(claimed);
  expect(await spec.job(other)).toMatchObject({ waiting: 0 });
});

test('a pass that is late with its lease, as on a busy machine, is finished while no other worker has its set', async () => {
  const set = await spec.newSet();
  await spec.say(one, set, MESSAGES);
  beforeAnswer = async () => {
    await spec.database.query(
      `UPDATE semantic.ingestion_jobs SET lease_until = now() - interval '1 s' WHERE set_uid = $1`,
      [set],
    );
    // of the same process, which knows that it is at work
    await one.scheduler.look(one.runner.underWay);
  };
  await one.drain();
  expect(asked).toHaveLength(1);
  expect((await spec.features(set)).map(({ value }) => value)).toEqual(['learned', 'learned']);
  expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
});

test('a pass of a process that was told to stop, or that gives its claim up, does not count', async () => {
  const set = await spec.newSet();
  await spec.say(one, set, MESSAGES);
  await claim(one);
  expect(await unfinished(set)).toBe(1);
  await one.runner.stop();
  expect(await unfinished(set)).toBe(0);
  expect(await one.runner.claim()).toBeUndefined();
  await expire(set);

  const two = await spec.replica();
  const claimed = await claim(two);
  beforeAnswer = () => expire(set);
  await two.runner.work(claimed);
  expect(await spec.job(set)).toMatchObject({ state: 'due' });
  expect(await unfinished(set)).toBe(0);
});
