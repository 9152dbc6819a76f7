import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { instantFromDate, unavailable } from '@loci/contracts';
import { type LanguageModel, ModelFactory, KeyRing, SecretBox } from '@loci/models';
import { Metrics } from '@loci/platform';
import { eventually, FakeModels, rowsReadBy } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { type IngestionDeadLetter } from './dead-letters/ingestion-dead-letters.repository.js';
import { NEXT_MESSAGES } from './extraction/next-messages.sql.js';
import { SETTLE_MESSAGES, SETTLED_AT_ONCE } from './extraction/settle-messages.sql.js';
import { NEXT_TRACES, TAKE_UP_MESSAGES, TAKEN_UP_AT_ONCE } from './jobs/take-up-messages.sql.js';
import { ModelQuotas } from './usage/model-quotas.js';
import { type IngestionReplica, IngestionSpec, type World } from '../../test/ingestion-spec.js';
import { TOO_LARGE } from '../../test/spec-feature-store.js';
import { fullScope } from '../projects/project.js';

const add = (value: string, messages = [1]): object => ({
  commands: [{ command: 'add', tag: 'facts', feature: 'fact', value, messages }],
});

/** The same in each of several categories. */
const addToEach = (value: string, categories: readonly string[]): { readonly commands: object[] } => ({
  commands: categories.map((category) => ({
    ...{ category, command: 'add', tag: 'facts', feature: 'fact', value, messages: [1] },
  })),
});

const texts = (count: number, word = 'message'): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`);

let fake: FakeModels;
let model: LanguageModel;
/** One of whose pauses no other test knows. */
let lateModel: LanguageModel;
let world: World;
let spec: IngestionSpec;
let one: IngestionReplica;
let two: IngestionReplica;

beforeAll(async () => {
  fake = await FakeModels.start();
  const factory = new ModelFactory({
    references: { environment: {}, prefix: 'LOCI_MODEL_SECRET_' },
    secretBox: new SecretBox(KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`)),
    egress: { allowPrivate: true },
    metrics: new Metrics('test'),
    localEmbedder: () => Promise.reject(new Error('none here')),
    limits: { firstPauseMs: 1, circuitThreshold: 1_000, maxAttempts: 2, attemptTimeoutMs: 3_000 },
  });
  const modelNamed = (name: string): Promise<LanguageModel> =>
    factory.languageModel({
      kind: 'language_model',
      name,
      provider: 'openai-chat-completions',
      config: { base_url: fake.openAiUrl, api_key: 'key', model: 'gpt' },
    });
  model = await modelNamed('gpt');
  lateModel = await modelNamed('late');
  world = {
    triggers: { messages: 5, ageSeconds: 300 },
    categories: ['profile'],
    isOn: true,
    model: () => Promise.resolve(model),
    prices: undefined,
    quota: { calls: 1_000_000, tokens: 1_000_000_000 },
  };
  spec = await IngestionSpec.create(world);
  one = await spec.replica();
  two = await spec.replica();
});

afterAll(async () => {
  await spec.close();
  await model.close();
  await lateModel.close();
  await fake.close();
});

beforeEach(() => {
  fake.reset();
  world.triggers = { messages: 5, ageSeconds: 300 };
  world.categories = ['profile'];
  world.isOn = true;
  world.prices = undefined;
  delete world.ready;
  delete world.hasConversations;
  world.quota = { calls: 1_000_000, tokens: 1_000_000_000 };
  world.model = () => Promise.resolve(model);
});

const values = async (setUid: string): Promise<string[]> =>
  (await spec.features(setUid)).map(({ value }) => value);

/** Works, letting every back-off be over at once, until the set has nothing left to do. */
async function settle(setUid: string): Promise<void> {
  for (let rounds = 0; rounds < 60 && (await spec.job(setUid)).waiting > 0; rounds += 1) {
    await spec.skipPauses();
    await one.scheduler.look();
    await one.drain();
  }
  expect(await spec.job(setUid)).toMatchObject({ waiting: 0 });
}

describe('a set is due', () => {
  test('at the trigger of messages, and not one before', async () => {
    const set = await spec.newSet();
    await spec.say(one, set, texts(4));
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 4 });
    await spec.say(one, set, ['the fifth']);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: 5 });
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
  });

  test('at the age of its oldest message, to within the second, whichever replica looks', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 5, ageSeconds: 10 };
    const oldAt = Date.now() + 5_000;
    await spec.say(one, set, ['young'], { receivedAt: new Date(oldAt - 10_000) });
    await two.scheduler.look();
    expect(await spec.job(set)).toMatchObject({ state: 'idle' });
    let lastIdleAt = 0;
    const becomesDue = async (): Promise<boolean> => {
      const lookedAt = Date.now();
      await two.scheduler.look();
      if ((await spec.job(set)).state === 'due') return true;
      lastIdleAt = lookedAt;
      return false;
    };
    await eventually(becomesDue, { what: 'the set is due by age' });
    expect(Date.now()).toBeGreaterThanOrEqual(oldAt);
    expect(lastIdleAt).toBeLessThan(oldAt + 1_000);
    await one.drain();
  });

  test('once, however many replicas look at the same moment', async () => {
    const set = await spec.newSet();
    await spec.say(one, set, ['old'], { receivedAt: new Date(Date.now() - 3_600_000) });
    const looks = await Promise.all([one, two, one, two].map((replica) => replica.scheduler.look()));
    expect(looks.reduce((sum, due) => sum + due, 0)).toBe(1);
    await one.drain();
  });

  test('by triggers that were changed a moment ago', async () => {
    const set = await spec.newSet();
    await spec.say(one, set, ['a', 'b']);
    world.triggers = { messages: 2, ageSeconds: 300 };
    await one.scheduler.look();
    expect(await spec.job(set)).toMatchObject({ state: 'due' });
    await one.drain();
  });
});

describe('each message is ingested once', () => {
  test('when it is delivered twice, before and after', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, add('once'));
    const uids = await spec.say(one, set, texts(5));
    await spec.say(two, set, texts(5), { uids });
    await one.drain();
    await spec.say(two, set, texts(5), { uids });
    await settle(set);
    expect(await values(set)).toEqual(['once']);
    expect(fake.calls()).toHaveLength(1);
  });

  test('when two workers are handed the same set at the same moment', async () => {
    const set = await spec.newSet();
    fake.fail({ delayMs: 100 });
    fake.reply(/message/, add('once'));
    await spec.say(one, set, texts(5));
    expect(await Promise.all([one.runner.runNext(), two.runner.runNext()])).toContain(false);
    expect(await values(set)).toEqual(['once']);
    expect(fake.calls()).toHaveLength(1);
  });

  test('when a worker hangs past its lease: the next one takes over, and the first cannot write', async () => {
    const set = await spec.newSet();
    await spec.say(one, set, texts(5));
    fake.reply(/message/, add('written'));
    const slow = await one.jobs.claim(1);
    if (!slow) throw new Error('nothing was due');
    await eventually(async () => (await two.scheduler.look()) > 0, { what: 'the lease is over' });
    await two.drain();
    const write = one.unitOfWork.run((tx) => one.jobs.fence(slow, tx));
    await expect(write).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await one.jobs.renew(slow, 30_000)).toBe(false);
    expect(await values(set)).toEqual(['written']);
  });

  test('for each category, when one of them fails for a while', async () => {
    const set = await spec.newSet();
    world.categories = ['good', 'bad'];
    fake.reply('Category good', add('good'));
    fake.reply('Category bad', 'no JSON', 4);
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await values(set)).toEqual(['good']);
    expect(await spec.job(set)).toMatchObject({
      state: 'retrying',
      waiting: 5,
      code: 'model_reply_unusable',
    });
    fake.reset();
    fake.reply('Category bad', add('bad'));
    await settle(set);
    expect((await values(set)).filter((value) => value === 'good')).toHaveLength(1);
    expect(fake.calls().some(({ body }) => JSON.stringify(body).includes('Category good'))).toBe(false);
    expect((await values(set)).filter((value) => value === 'bad').length).toBeGreaterThan(0);
  });

  test('but for one that was deleted meanwhile', async () => {
    const set = await spec.newSet();
    const [gone = ''] = await spec.say(one, set, texts(5));
    spec.forget(gone);
    fake.reply(/message/, add('the rest'));
    await one.drain();
    expect(JSON.stringify(fake.calls())).not.toContain('message 0');
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
    expect((await spec.features(set))[0]?.citations).not.toContain(gone);
  });

  test('and so is one that was added under the uid of another, while that was read and then deleted', async () => {
    const set = await spec.newSet();
    const [uid = ''] = await spec.say(one, set, texts(5));
    fake.reply(/message|again/, { commands: [] });
    const slow = Object.create(model) as LanguageModel;
    slow.generateJson = async (request) => {
      world.model = () => Promise.resolve(model);
      await spec.replace(one, set, uid, 'said again');
      return model.generateJson(request);
    };
    world.model = () => Promise.resolve(slow);
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ waiting: 1, fresh: 1 });
    world.triggers = { messages: 1, ageSeconds: 0 };
    await settle(set);
    expect(JSON.stringify(fake.calls())).toContain('said again');
  });
});

describe('cost', () => {
  test('a hundred messages, one by one, take at most twenty calls, and every call is counted', async () => {
    const set = await spec.newSet();
    const before = await one.usage.list(spec.owner, 1);
    fake.reply(/message/, { commands: [] });
    for (const text of texts(100)) {
      await spec.say(one, set, [text]);
      await one.drain();
    }
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
    expect(fake.calls().length).toBeLessThanOrEqual(20);
    const [used] = await one.usage.list(spec.owner, 1);
    expect((used?.calls ?? 0) - (before[0]?.calls ?? 0)).toBe(fake.calls().length);
    expect(used?.inputTokens).toBeGreaterThan(0);
  });

  test('and so do they when much is learned, which is consolidated meanwhile', async () => {
    const set = await spec.newSet();
    world.categories = ['one', 'two'];
    let learned = 0;
    fake.replyBy(/"commands"/, () => {
      const facts = Array.from({ length: 6 }, () => `fact ${(learned += 1)}`);
      return JSON.stringify({
        commands: facts.flatMap((value) => addToEach(value, world.categories).commands),
      });
    });
    let consolidations = 0;
    fake.replyBy(/"keep_memories"/, () => {
      consolidations += 1;
      return JSON.stringify({ consolidated_memories: [], keep_memories: [] });
    });
    for (const text of texts(100)) {
      await spec.say(one, set, [text]);
      await one.drain();
    }
    expect(consolidations).toBeGreaterThan(3);
    expect(fake.calls().length).toBeLessThanOrEqual(20);
    // what is left waits for its age, or for as many messages as usual
    expect((await spec.job(set)).waiting).toBeLessThan(2 * world.triggers.messages);
    world.triggers = { ...world.triggers, ageSeconds: 0 };
    await settle(set);
    expect(fake.calls().length).toBeLessThanOrEqual(20);
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  });

  test('and so do they for several categories: all that a set looks for is asked in one call', async () => {
    const set = await spec.newSet();
    world.categories = ['one', 'two', 'three', 'four', 'five'];
    fake.reply(/message/, { commands: [] });
    fake.reply('My name is Anna', addToEach('Anna', world.categories));
    for (const [index, text] of texts(100).entries()) {
      await spec.say(one, set, [index === 50 ? 'My name is Anna.' : text]);
      await one.drain();
    }
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
    expect(fake.calls().length).toBeLessThanOrEqual(20);
    expect((await spec.features(set)).map(({ category }) => category)).toEqual([...world.categories].sort());
  });

  test('categories that are too long together for the model are asked for apart', async () => {
    const set = await spec.newSet();
    // longer than the messages
    const [first = '', second = '', third = ''] = ['one', 'two', 'three'].map(
      (name) => `${name}${' of many words'.repeat(60)}`,
    );
    world.categories = [first, second, third];
    const tooLong = { error: { code: 'context_length_exceeded', message: 'too long' } };
    fake.fail({ status: 400, body: tooLong });
    fake.reply(/message/, addToEach('noted', [first, second]));
    fake.reply('Category three', add('noted'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
    expect((await spec.features(set)).map(({ category }) => category)).toEqual([first, third, second]);
    expect(fake.calls()).toHaveLength(3);
  });

  test('a batch stays within its tokens', async () => {
    const set = await spec.newSet();
    fake.reply(/word/, { commands: [] });
    await spec.say(
      one,
      set,
      Array.from({ length: 6 }, () => 'word '.repeat(3_000)),
    );
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
    expect(fake.calls().length).toBeGreaterThan(1);
  });
});

describe('a set in which very much waits', () => {
  const MANY = 15_000;

  /** Rows of messages that a statement reads. */
  const rowsRead = ({ text }: { readonly text: string }, values: unknown[]): Promise<number> =>
    rowsReadBy(
      (asked, parameters) => spec.database.query(asked, parameters),
      text,
      values,
      'ingestion_messages',
    );

  test('costs a pass no more than a set in which little does', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: [] });
    await spec.say(one, set, texts(MANY));
    await one.runner.runNext();
    expect(await spec.job(set)).toMatchObject({
      waiting: MANY - 50,
      fresh: MANY - TAKEN_UP_AT_ONCE,
      state: 'due',
    });
    await one.runner.runNext();
    expect(await spec.job(set)).toMatchObject({ waiting: MANY - 100, fresh: 0, state: 'due' });
    await spec.database.query('ANALYZE semantic.ingestion_messages, semantic.ingestion_progress');
    const executed = jest.spyOn(one.unitOfWork, 'execute');
    await one.runner.runNext();
    const statements = executed.mock.calls.map(([statement]) => statement);
    executed.mockRestore();
    expect(statements).not.toContain(TAKE_UP_MESSAGES);
    expect(await spec.job(set)).toMatchObject({ waiting: MANY - 150 });
    expect(await rowsRead(NEXT_TRACES, [set])).toBeLessThan(200);
    expect(await rowsRead(NEXT_MESSAGES, [set, 'profile', 50])).toBeLessThan(200);
    expect(await rowsRead(SETTLE_MESSAGES, [set, ['profile']])).toBeLessThan(3 * SETTLED_AT_ONCE);
    await spec.database.query('DELETE FROM semantic.sets WHERE uid = $1', [set]);
  });

  test('is taken up whatever was counted', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: [] });
    await spec.say(one, set, texts(TAKEN_UP_AT_ONCE + 60));
    await spec.database.query('UPDATE semantic.ingestion_jobs SET fresh = 200 WHERE set_uid = $1', [set]);
    await one.runner.runNext();
    expect(await spec.job(set)).toMatchObject({ fresh: 1 });
    await one.runner.runNext();
    expect(await spec.job(set)).toMatchObject({ waiting: TAKEN_UP_AT_ONCE - 40, fresh: 0 });
    const left = 'SELECT FROM semantic.ingestion_messages WHERE set_uid = $1 AND taken_at IS NULL';
    expect(await spec.database.query(left, [set])).toEqual([]);
    await spec.database.query('DELETE FROM semantic.sets WHERE uid = $1', [set]);
  });

  test('is all done when no category is left that wants it', async () => {
    const set = await spec.newSet();
    world.categories = [];
    await spec.say(one, set, texts(3 * SETTLED_AT_ONCE));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ waiting: 0, state: 'idle' });
  });
});

describe('citations', () => {
  const COMMANDS = [
    { command: 'add', tag: 'facts', feature: 'a', value: 'second', messages: [2] },
    { command: 'add', tag: 'facts', feature: 'b', value: 'of nothing' },
    { command: 'add', tag: 'facts', feature: 'c', value: 'of others', messages: [0, 6] },
    { command: 'delete', tag: 'facts', feature: 'a', messages: [] },
  ];

  const lettersOf = async (set: string): Promise<IngestionDeadLetter[]> =>
    (await one.letters.list(spec.owner, { offset: 0, limit: 100 })).letters.filter(
      ({ setId }) => setId === set,
    );

  test('a feature cites the messages that its command names; a model that named none is asked again', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: COMMANDS }, 1);
    fake.reply("That reply can't be used", { commands: COMMANDS.slice(0, 1) });
    const uids = await spec.say(one, set, texts(5));
    await one.drain();
    expect(await spec.features(set)).toMatchObject([{ value: 'second', citations: [uids[1]] }]);
    expect(JSON.stringify(fake.calls()[1]?.body)).toContain(
      "/commands/1 must have required property 'messages'",
    );
    expect(await lettersOf(set)).toEqual([]);
  });

  test('one that names none again goes to the dead letters with the reason, and the others count', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: COMMANDS });
    const uids = await spec.say(one, set, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(2);
    expect(await spec.features(set)).toMatchObject([{ value: 'second', citations: [uids[1]] }]);
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    const [letter, ...others] = await lettersOf(set);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ code: 'command_refused', reason: 'It names no message of its batch.' });
    expect([...(letter?.episodeUids ?? [])].sort()).toEqual([...uids].sort());
    expect(letter?.commands).toEqual(
      COMMANDS.slice(1).map(({ command, tag, feature }) => ({
        command,
        tag,
        feature,
        reason: 'It names no message of its batch.',
      })),
    );
  });

  test('a replay has the messages ingested again; a deleted message takes the refused commands along', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: COMMANDS.slice(1, 2) });
    const [gone = '', ...uids] = await spec.say(one, set, texts(5));
    await one.drain();
    const deleted = { projectUid: spec.projectUid, uids: [gone], addedUntil: instantFromDate(new Date()) };
    await one.unitOfWork.run((tx) => one.backlog.forgetEpisodes(deleted, tx));
    const [letter] = await lettersOf(set);
    expect(letter).toMatchObject({ episodeUids: [...uids].sort(), commands: undefined });
    fake.reset();
    fake.reply(/message/, add('after replay'));
    await one.letters.replay(spec.owner, letter?.uid ?? '', one.once);
    await settle(set);
    expect(await values(set)).toEqual(['after replay']);
    expect(await lettersOf(set)).toEqual([]);
  });
});

describe('what a model does wrong ends in the backlog or in the dead letters, never in between', () => {
  test.each([
    ['invalid JSON', 'certainly! {'],
    ['JSON of the wrong shape', { orders: [] }],
    ['an empty reply', ''],
  ])('%s: given up after its tries with the reason, and whole again after a replay', async (_, reply) => {
    const set = await spec.newSet();
    fake.reply(/message/, reply);
    await spec.say(one, set, texts(5));
    await settle(set);
    expect(await values(set)).toEqual([]);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    const ours = letters.filter(({ setId }) => setId === set);
    expect(ours.flatMap(({ episodeUids }) => episodeUids)).toHaveLength(5);
    expect(ours.every(({ code }) => code === 'model_reply_unusable')).toBe(true);
    fake.reset();
    fake.reply(/message/, add('after replay'));
    for (const { uid } of ours) await one.letters.replay(spec.owner, uid, one.once);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: 5 });
    await settle(set);
    expect(await values(set)).toEqual(['after replay']);
    const left = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(left.letters.filter(({ setId }) => setId === set)).toEqual([]);
  });

  test('a message that changes more than there is memory for is given up at once, and the others are learned', async () => {
    const set = await spec.newSet();
    fake.replyBy(/message/, ({ first }) =>
      JSON.stringify(add(first.includes('poison') ? TOO_LARGE : 'learned')),
    );
    const uids = await spec.say(one, set, [...texts(2), 'message of poison', ...texts(2)]);
    await settle(set);
    expect(new Set(await values(set))).toEqual(new Set(['learned']));
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set)).toMatchObject([
      { code: 'body_too_large', episodeUids: [uids[2]] },
    ]);
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  });

  test('what the model cannot read waits, too, while its category is paused by an outage', async () => {
    world.triggers = { messages: 1, ageSeconds: 300 };
    const set = await spec.newSet();
    fake.reply('poison', 'no JSON');
    fake.reply("That reply can't be used", 'no JSON');
    await spec.say(one, set, ['poison']);
    await one.drain();
    fake.fail({ status: 400, times: 4 });
    await spec.say(one, set, ['readable']);
    await one.runner.runNext();
    await spec.skipPauses();
    await spec.pauseCategories();
    await one.scheduler.look();
    expect(await one.runner.runNext()).toBe(true);
    expect(await spec.job(set)).toMatchObject({ state: 'retrying', code: 'language_model_unavailable' });
    expect(await one.runner.runNext()).toBe(false);
  });

  const CUT_OFF = { choices: [{ message: { content: '{"comm' }, finish_reason: 'length' }] };

  test('a model that is cut off is asked for half of the messages at once', async () => {
    const set = await spec.newSet();
    fake.fail({ status: 200, body: CUT_OFF });
    fake.reply(/message/, add('then'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    const asked = fake.calls().map(({ body }) => JSON.stringify(body).split('\\"message\\":').length - 1);
    expect(asked).toEqual([5, 3, 2]);
  });

  test('a model that is always cut off gives a short message up after its tries', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    fake.fail({ status: 200, body: CUT_OFF, times: 100 });
    await spec.say(one, set, ['a short one']);
    await settle(set);
    const asked = fake.calls().map(({ body }) => JSON.stringify(body));
    expect(asked.filter((body) => body.includes('a short one'))).toHaveLength(6);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set)).toMatchObject([
      { code: 'model_reply_unusable', reason: expect.stringContaining('was cut off') },
    ]);
  });

  test('a model that refuses is asked again', async () => {
    const set = await spec.newSet();
    const body = { choices: [{ message: { refusal: 'no' }, finish_reason: 'stop' }] };
    fake.fail({ status: 200, body });
    fake.reply(/message/, add('then'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'retrying', code: 'model_reply_unusable' });
    await settle(set);
    expect(new Set(await values(set))).toEqual(new Set(['then']));
  });

  test.each([
    ['a storm of 429', { status: 429, times: 4 }],
    ['500s', { status: 500, times: 4 }],
    ['timeouts', { kind: 'hang', times: 2 }],
  ] as const)('%s is waited out without losing or repeating a message', async (_, fault) => {
    const set = await spec.newSet();
    fake.fail(fault);
    fake.reply(/message/, add('after the storm'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'retrying', code: 'language_model_unavailable' });
    await settle(set);
    expect(await values(set)).toEqual(['after the storm']);
  });

  test('a provider that says when to come back is not asked before: soon, within the call; late, by the backlog', async () => {
    const soon = await spec.newSet();
    fake.fail({ status: 429, headers: { 'retry-after': '1' } });
    fake.reply(/message/, add('after a second'));
    await spec.say(one, soon, texts(5));
    await one.drain();
    expect(await values(soon)).toEqual(['after a second']);
    const [refused, answered] = fake.calls().map(({ atMs }) => atMs);
    expect((answered ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(1_000);

    fake.reset();
    const late = await spec.newSet();
    world.model = () => Promise.resolve(lateModel);
    fake.fail({ status: 429, headers: { 'retry-after': '600' } });
    await spec.say(one, late, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(1);
    expect(await spec.job(late)).toMatchObject({ state: 'retrying', waiting: 5 });
    const [row] = await spec.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM run_after - now())::float8 AS seconds FROM semantic.ingestion_jobs WHERE set_uid = $1`,
      [late],
    );
    expect(row?.seconds).toBeGreaterThan(590);
    await one.scheduler.look();
    await one.drain();
    expect(fake.calls()).toHaveLength(1);

    const other = await spec.newSet();
    await spec.say(one, other, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(1);
    expect(await spec.job(other)).toMatchObject({
      state: 'blocked',
      waiting: 5,
      code: 'language_model_unavailable',
    });
    expect(await one.messages.failures(other)).toEqual([]);
  });

  test('a single bad message does not take its batch with it', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, { commands: [] });
    fake.reply('poison', 'no JSON');
    // the attempt at repair
    fake.reply("That reply can't be used", 'no JSON');
    const uids = await spec.say(one, set, ['message', 'message', 'poison', 'message', 'message']);
    await settle(set);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set).map(({ episodeUids }) => episodeUids)).toEqual([
      [uids[2]],
    ]);
  });
});

describe('one poisoned message of ten in two categories', () => {
  const poisonedAt = 6;

  const sayTen = async (): Promise<{ set: string; uids: string[] }> => {
    const set = await spec.newSet();
    world.categories = ['first', 'second'];
    fake.reply(/message/, { commands: [] });
    fake.reply('poison', 'no JSON');
    fake.reply("That reply can't be used", 'no JSON');
    const said = texts(10).map((text, index) => (index === poisonedAt ? 'poison' : text));
    return { set, uids: await spec.say(one, set, said) };
  };

  test('is found in few calls, and nothing that succeeded is asked again', async () => {
    const { set, uids } = await sayTen();
    await settle(set);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    const ours = letters.filter(({ setId }) => setId === set);
    expect(ours.map(({ episodeUids, category }) => [category, episodeUids]).sort()).toEqual([
      ['first', [uids[poisonedAt]]],
      ['second', [uids[poisonedAt]]],
    ]);
    const asked = fake.calls().map(({ body }) => JSON.stringify(body));
    for (const category of ['first', 'second']) {
      const ofCategory = asked.filter((body) => body.includes(`Category ${category}`));
      const isRepair = (body: string): boolean => body.includes("That reply can't be used");
      // ten for both, ten, then its halves down to one, which has one more try; a half that succeeds is asked once
      expect(ofCategory.filter((body) => !isRepair(body)).length).toBeLessThanOrEqual(11);
      expect(ofCategory.filter(isRepair).length).toBeLessThanOrEqual(7);
      for (const [index, text] of texts(10).entries()) {
        const withoutPoison = ofCategory.filter(
          (body) => !body.includes('poison') && body.includes(`"${text}`),
        );
        if (index !== poisonedAt) expect(withoutPoison.length).toBeLessThanOrEqual(1);
      }
    }
  });

  test('does not keep the other messages of its set waiting', async () => {
    const { set } = await sayTen();
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'retrying', code: 'model_reply_unusable' });
    fake.reply('later message', addToEach('said later', world.categories));
    await spec.say(one, set, texts(5, 'later message'));
    await one.drain();
    expect(await values(set)).toEqual(['said later', 'said later']);
    expect((await spec.job(set)).waiting).toBeGreaterThan(0);
    await settle(set);
  });
});

describe('a message that a model makes nothing of does not spoil what is said after it in its conversation', () => {
  const failures = async (set: string): Promise<(readonly string[])[]> => {
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    return letters.filter(({ setId }) => setId === set).map(({ episodeUids }) => episodeUids);
  };

  beforeEach(() => {
    world.hasConversations = true;
    fake.reply(/message/, { commands: [] });
    fake.reply('poison', 'no JSON');
    fake.reply("That reply can't be used", 'no JSON');
  });

  test('neither in its batch nor afterwards', async () => {
    const set = await spec.newSet();
    const uids = await spec.say(one, set, [...texts(6), 'poison', ...texts(3)]);
    await settle(set);
    expect(await failures(set)).toEqual([[uids[6]]]);
    const before = fake.calls().length;
    await spec.say(one, set, texts(5, 'later message'));
    await settle(set);
    expect(await failures(set)).toEqual([[uids[6]]]);
    expect(fake.calls()).toHaveLength(before + 1);
    expect(JSON.stringify(fake.calls().at(-1)?.body)).toContain('message 2');
  });

  test('although it was learned by another model before', async () => {
    const set = await spec.newSet();
    fake.reply('poison', { commands: [] });
    await spec.say(one, set, [...texts(4), 'poison']);
    await settle(set);
    fake.reply('poison', 'no JSON');
    await spec.say(one, set, texts(5, 'later message'));
    await settle(set);
    expect(await failures(set)).toEqual([]);
  });
});

describe('a reply with more commands than one may have', () => {
  /** As many facts in each of some messages. */
  const lists = (count: number, facts: number): string[] =>
    texts(count, 'list').map((list) =>
      Array.from({ length: facts }, (_, index) => `fact ${index} of ${list}`).join('; '),
    );

  /** The model notes each fact that it is shown, once for each category that it is asked about. */
  const noteAll = (): void => {
    fake.replyBy(/HISTORY|That reply can't be used/, ({ first, system }) => {
      const shown = new Set(first.slice(first.indexOf('<HISTORY>')).match(/fact \d+ of list \d+/g));
      const asked = [...system.matchAll(/Category "(?<name>\w+)":/g)].map(({ groups }) => groups?.['name']);
      const fact = { command: 'add', tag: 'facts', feature: 'fact', messages: [1] };
      return JSON.stringify({
        commands: (asked.length > 0 ? asked : [undefined]).flatMap((category) =>
          [...shown].map((value) => ({ ...fact, category, value })),
        ),
      });
    });
  };

  const messagesAsked = (): number[] =>
    fake
      .calls()
      .map(({ body }) => JSON.stringify(body).split('\\"message\\":').length - 1)
      .filter((messages) => messages > 0);

  test('is not asked for again, but for half of the messages', async () => {
    const set = await spec.newSet();
    noteAll();
    await spec.say(one, set, lists(5, 60));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect(new Set(await values(set)).size).toBe(300);
    expect(messagesAsked()).toEqual([5, 3, 2]);
  });

  test('about several categories, is asked for of each by itself', async () => {
    const set = await spec.newSet();
    world.categories = ['one', 'two'];
    noteAll();
    await spec.say(one, set, lists(5, 30));
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await spec.features(set)).toHaveLength(300);
    expect(messagesAsked()).toEqual([5, 5, 5]);
  });

  test('of a message that is too short to be divided, counts up to there and says what is left out', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    const facts = Array.from({ length: 230 }, (_, index) => ({
      ...{ command: 'add', tag: 'facts', feature: 'fact', value: `fact ${index}`, messages: [1] },
    }));
    fake.reply(/HISTORY|That reply can't be used/, { commands: facts });
    await spec.say(one, set, ['All that I know, in short.']);
    await settle(set);
    expect(new Set(await values(set))).toEqual(new Set(facts.slice(0, 200).map(({ value }) => value)));
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set)).toMatchObject([
      { code: 'command_refused', reason: expect.stringContaining('this one and 29 after it are left out') },
    ]);
    expect(fake.calls()).toHaveLength(1);
  });
});

describe('a command that is unknown', () => {
  test.each([
    ['a few others', 3, 2],
    ['more than one reply may have', 230, 1],
  ])('is refused alone among %s', async (_, count, calls) => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    const facts = Array.from({ length: count }, (_, index) => ({
      ...{ command: 'add', tag: 'facts', feature: 'fact', value: `fact ${index}`, messages: [1] },
    }));
    const known = facts.filter((_, index) => index !== 1);
    fake.reply(/HISTORY|That reply can't be used/, {
      commands: facts.map((fact) => (known.includes(fact) ? fact : { ...fact, command: 'drop' })),
    });
    await spec.say(one, set, ['All that I know, in short.']);
    await settle(set);
    const counted = known.slice(0, 199).map(({ value }) => value);
    expect(new Set(await values(set))).toEqual(new Set(counted));
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set)).toMatchObject([
      { code: 'command_refused', reason: expect.stringContaining('It asks for "drop"') },
    ]);
    expect(fake.calls()).toHaveLength(calls);
  });
});

describe('a message that is longer than one call can read', () => {
  const long = (word: string): string =>
    `${`${word} goes on and on. `.repeat(4_000)}The last thing: she moved to Gothenburg.`;

  test('is read in parts until its end, and is done only then', async () => {
    const set = await spec.newSet();
    fake.reply(/message|the story/, { commands: [] });
    fake.reply('Gothenburg', add('lives in Gothenburg', [1]));
    const uids = await spec.say(one, set, [...texts(4), long('the story')]);
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect((await spec.features(set)).map(({ value, citations }) => [value, citations])).toEqual([
      ['lives in Gothenburg', [uids[4]]],
    ]);
    expect(fake.calls().length).toBeGreaterThan(2);
  });

  test('goes on where it was when a part failed, and what was read is not read again', async () => {
    const set = await spec.newSet();
    fake.reply(/the tale|That reply can't be used/, 'no JSON');
    fake.reply(/the tale/, add('from the beginning', [1]), 1);
    world.triggers = { messages: 1, ageSeconds: 300 };
    await spec.say(one, set, [long('the tale')]);
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'retrying', waiting: 1 });
    fake.reset();
    fake.reply(/the tale/, { commands: [] });
    fake.reply('Gothenburg', add('lives in Gothenburg', [1]));
    await settle(set);
    expect(await values(set)).toEqual(['from the beginning', 'lives in Gothenburg']);
    const asked = fake.calls().map(({ body }) => JSON.stringify(body));
    expect(asked.some((body) => body.includes('characters 0 to'))).toBe(false);
  });

  test.each([
    ['more than one reply has', 1_000],
    ['as much as one reply has, and the rest is left out', 200],
  ])('is read in smaller parts when the model says %s', async (_, most) => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    const said = Array.from({ length: 300 }, (_, index) => `fact ${index} of the list`);
    fake.replyBy(/of the list|That reply can't be used/, ({ first }) => {
      const shown = new Set(first.slice(first.indexOf('<HISTORY>')).match(/fact \d+ of the list/g));
      const fact = { command: 'add', tag: 'facts', feature: 'fact', messages: [1] };
      return JSON.stringify({ commands: [...shown].slice(0, most).map((value) => ({ ...fact, value })) });
    });
    await spec.say(one, set, [said.join('; ')]);
    await settle(set);
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    expect(new Set(await values(set))).toEqual(new Set(said));
    const asked = fake.calls().map(({ body }) => JSON.stringify(body));
    expect(asked.filter((body) => /<HISTORY>.*That reply can't be used/.test(body))).toEqual([]);
  });

  test('whose last part says more than one reply has is divided there, and no part is asked for twice', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    const said = Array.from({ length: 300 }, (_, index) => `fact ${index} of the end`);
    fake.replyBy(/HISTORY/, ({ first }) => {
      const shown = new Set(first.slice(first.indexOf('<HISTORY>')).match(/fact \d+ of the end/g));
      const fact = { command: 'add', tag: 'facts', feature: 'fact', messages: [1] };
      return JSON.stringify({ commands: [...shown].map((value) => ({ ...fact, value })) });
    });
    await spec.say(one, set, [`${'It goes on and on. '.repeat(1_600)}${said.join('; ')}`]);
    await settle(set);
    expect(new Set(await values(set))).toEqual(new Set(said));
    const parts = fake
      .calls()
      .flatMap(({ body }) => /characters \d+ to \d+/.exec(JSON.stringify(body)) ?? []);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual([...new Set(parts)]);
  });

  test('is read on in parts of the size that worked: only the first is asked for again', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    const said = Array.from({ length: 1_500 }, (_, index) => `fact ${index} of the book`);
    fake.replyBy(/HISTORY/, ({ first }) => {
      const shown = new Set(first.slice(first.indexOf('<HISTORY>')).match(/fact \d+ of the book/g));
      const fact = { command: 'add', tag: 'facts', feature: 'fact', messages: [1] };
      return JSON.stringify({ commands: [...shown].map((value) => ({ ...fact, value })) });
    });
    await spec.say(one, set, [said.join('; ')]);
    await settle(set);
    expect(new Set(await values(set))).toEqual(new Set(said));
    const begins = fake
      .calls()
      .map(({ body }) => /characters (?<from>\d+) to/.exec(JSON.stringify(body))?.groups?.['from'] ?? '0');
    const again = begins.filter((from, index) => begins.indexOf(from) < index);
    expect(begins.length).toBeGreaterThan(8);
    expect(new Set(again)).toEqual(new Set(['0']));
  });

  test('is a dead letter with the reason when the model cannot read even a small part', async () => {
    const set = await spec.newSet();
    world.triggers = { messages: 1, ageSeconds: 300 };
    fake.fail({
      status: 400,
      body: { error: { code: 'context_length_exceeded', message: 'too long' } },
      times: 100,
    });
    await spec.say(one, set, [long('the epic')]);
    await settle(set);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ setId }) => setId === set)).toMatchObject([{ code: 'model_input_too_long' }]);
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  });
});

test('without a language model messages wait, and say why, and cost no tries', async () => {
  const set = await spec.newSet();
  world.model = () => Promise.reject(unavailable('resource_not_ready', 'No language model.'));
  fake.reply(/message/, add('at last'));
  await spec.say(one, set, texts(5));
  await one.drain();
  expect(await spec.job(set)).toMatchObject({ state: 'blocked', waiting: 5, code: 'resource_not_ready' });
  expect(await one.messages.failures(set)).toEqual([]);
  world.model = () => Promise.resolve(model);
  await one.jobs.unblock();
  await one.scheduler.look();
  await one.drain();
  expect(await values(set)).toEqual(['at last']);
});

test('sets whose model refused or hung go on when that is tried again, others do not', async () => {
  const [set, other] = [await spec.newSet('mended'), await spec.newSet('still-out')];
  world.model = () =>
    Promise.reject(
      unavailable('language_model_unavailable', 'Too many requests.', { retryAfterSeconds: 300 }),
    );
  fake.reply(/message/, add('at last'));
  for (const waiting of [set, other]) await spec.say(one, waiting, texts(5));
  await one.drain();
  expect(await spec.job(set)).toMatchObject({ waiting: 5, code: 'language_model_unavailable' });
  world.model = () => Promise.resolve(model);
  await one.jobs.resume(['mended']);
  await one.scheduler.look();
  await one.drain();
  expect(await values(set)).toEqual(['at last']);
  expect(await values(other)).toEqual([]);
  await one.jobs.resume(['still-out']);
  await one.scheduler.look();
  await one.drain();
  expect(await values(other)).toEqual(['at last']);
});

describe('a set that waits for its language model', () => {
  /** Blocked, and its pause is over. */
  const blocked = async (llmName: string): Promise<string> => {
    const set = await spec.newSet(llmName);
    world.model = () => Promise.reject(unavailable('resource_not_ready', 'Not ready.'));
    await spec.say(one, set, texts(5));
    await one.drain();
    await spec.skipPauses();
    return set;
  };

  const claimsOf = async (set: string): Promise<string | undefined> => {
    const [row] = await spec.database.query<{ attempt: string }>(
      'SELECT attempt FROM semantic.ingestion_jobs WHERE set_uid = $1',
      [set],
    );
    return row?.attempt;
  };

  test('is not looked at until that is ready, then goes on within a look', async () => {
    const set = await blocked('late');
    const before = await claimsOf(set);
    for (let looks = 0; looks < 3; looks += 1) expect(await one.scheduler.look()).toBe(0);
    await one.drain();
    expect(await claimsOf(set)).toBe(before);
    world.ready = ['', 'late'];
    world.model = () => Promise.resolve(model);
    fake.reply(/message/, add('at last'));
    expect(await one.scheduler.look()).toBe(1);
    await one.drain();
    expect(await values(set)).toEqual(['at last']);
  });

  test('goes on with another one that it is given', async () => {
    const set = await blocked('gone');
    await spec.database.query(`UPDATE semantic.sets SET llm_name = 'gpt' WHERE uid = $1`, [set]);
    expect(await one.scheduler.look()).toBe(1);
    world.model = () => Promise.resolve(model);
    await one.drain();
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
  });
});

describe('the quota of a day', () => {
  const USED = `SELECT calls::int AS calls, tokens::int AS tokens FROM semantic.model_quota_use`;

  beforeEach(() => spec.database.query('DELETE FROM semantic.model_quota_use'));

  test('of calls: what goes beyond it waits, says why, costs no tries, and goes on when it is raised', async () => {
    const sets = await Promise.all(texts(5).map(() => spec.newSet()));
    world.quota = { calls: 2, tokens: 1_000_000 };
    fake.reply(/message/, add('at last'));
    const uids = (await Promise.all(sets.map((set) => spec.say(one, set, texts(5))))).flat();
    await Promise.all([one.drain(), two.drain()]);
    expect(fake.calls()).toHaveLength(2);
    const found = await Promise.all(sets.map((set) => spec.job(set)));
    const waiting = found.filter((job) => job.waiting > 0);
    const blocked = { state: 'blocked', waiting: 5, code: 'model_quota_exceeded' };
    expect(waiting).toEqual([1, 2, 3].map(() => expect.objectContaining(blocked)));
    for (const set of sets) expect(await one.messages.failures(set)).toEqual([]);
    world.quota = { calls: 5, tokens: 1_000_000 };
    await one.jobs.unblock();
    await one.scheduler.look();
    await one.drain();
    expect(fake.calls()).toHaveLength(5);
    for (const set of sets) expect(await values(set)).toEqual(['at last']);
    const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
    expect(letters.filter(({ episodeUids }) => episodeUids.some((uid) => uids.includes(uid)))).toEqual([]);
  });

  test('of tokens: counted when a call has ended; the reason names the setting', async () => {
    const set = await spec.newSet();
    world.quota = { calls: 1_000, tokens: 1 };
    fake.reply(/message/, add('at last'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await values(set)).toEqual(['at last']);
    const [used] = await spec.database.query<{ calls: number; tokens: number }>(USED);
    expect(used).toEqual({ calls: 1, tokens: expect.any(Number) });
    expect(used?.tokens).toBeGreaterThan(1);
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(1);
    const [job] = await spec.database.query<{ reason: string }>(
      'SELECT reason FROM semantic.ingestion_jobs WHERE set_uid = $1',
      [set],
    );
    expect(job?.reason).toContain('QUOTA_MODEL_TOKENS_PER_DAY');
  });

  test('of cost: at the prices of the model; the reason names the setting', async () => {
    const set = await spec.newSet();
    world.quota = { calls: 1_000, tokens: 1_000_000, cost: 1 };
    world.prices = { inputPerMillion: 0, cachedPerMillion: 0, outputPerMillion: 1_000_000 };
    fake.reply(/message/, add('at last'));
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(await values(set)).toEqual(['at last']);
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(1);
    const job = await spec.job(set);
    expect(job).toMatchObject({ state: 'blocked', code: 'model_quota_exceeded', waiting: 5 });
    const [row] = await spec.database.query<{ reason: string }>(
      'SELECT reason FROM semantic.ingestion_jobs WHERE set_uid = $1',
      [set],
    );
    expect(row?.reason).toContain('QUOTA_MODEL_COST_PER_DAY');
  });

  test('is the same for all who ask at once, and another organization has its own', async () => {
    const limits = {
      QUOTA_MODEL_CALLS_PER_DAY: 10,
      QUOTA_MODEL_TOKENS_PER_DAY: 1_000,
      QUOTA_MODEL_COST_PER_DAY: 1,
    };
    const asked = [one, two].flatMap(({ unitOfWork }) => {
      const quotas = new ModelQuotas(unitOfWork, limits);
      return Array.from({ length: 20 }, () => quotas.reserve('crowded'));
    });
    const results = await Promise.allSettled(asked);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const quotas = new ModelQuotas(one.unitOfWork, limits);
    await quotas.settle(await quotas.reserve('other'), { calls: 0, tokens: 0 });
    const [used] = await spec.database.query(`${USED} WHERE org_id = 'other'`);
    expect(used).toEqual({ calls: 0, tokens: 0 });
  });
});

describe('semantic memory that is switched off', () => {
  test('asks no model, keeps what waits, and goes on when it is on again', async () => {
    const set = await spec.newSet();
    world.isOn = false;
    fake.reply(/message/, add('at last'));
    await spec.say(one, set, texts(5), { receivedAt: new Date(Date.now() - 3_600_000) });
    expect(await one.scheduler.look()).toBe(0);
    await one.drain();
    expect(fake.calls()).toEqual([]);
    expect(await spec.job(set)).toMatchObject({ state: 'due', waiting: 5 });
    world.isOn = true;
    await one.drain();
    expect(await values(set)).toEqual(['at last']);
  });

  test('finishes the request that is under way, and begins no other one: neither the repair nor the next category', async () => {
    const set = await spec.newSet();
    fake.reply(/message/, 'no JSON');
    const watched = Object.create(model) as LanguageModel;
    watched.generateJson = (request) =>
      model.generateJson({
        ...request,
        onUsage: (used) => {
          request.onUsage?.(used);
          world.isOn = false;
        },
      });
    world.model = () => Promise.resolve(watched);
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(1);
    const blocked = { state: 'blocked', waiting: 5, code: 'semantic_memory_disabled' };
    expect(await spec.job(set)).toMatchObject(blocked);
    expect(await one.messages.failures(set)).toEqual([]);
    fake.reset();
    fake.reply(/message/, add('at last'));
    world.model = () => Promise.resolve(model);
    world.isOn = true;
    await one.jobs.unblock();
    await one.scheduler.look();
    await one.drain();
    expect(await values(set)).toEqual(['at last']);
  });
});

test('what waits is counted by the statements that change it', async () => {
  const set = await spec.newSet();
  await Promise.all([one, two, one, two].map((replica) => spec.say(replica, set, texts(3))));
  const states = ['idle', 'due', 'running', 'retrying', 'blocked'];
  const kept = states.map((state) => `sum(${state})::int AS ${state}`);
  const real = states.map((state) => `count(*) FILTER (WHERE state = '${state}')::int AS ${state}`);
  const sumOf = async (counts: string[], table: string): Promise<{ waiting: number } | undefined> => {
    const [row] = await spec.database.query<{ waiting: number }>(
      `SELECT sum(waiting)::int AS waiting, ${counts.join(', ')} FROM semantic.${table}`,
    );
    return row;
  };
  const counted = await sumOf(real, 'ingestion_jobs');
  expect(await sumOf(kept, 'ingestion_counts')).toEqual(counted);
  await spec.database.query('DELETE FROM semantic.sets WHERE uid = $1', [set]);
  const after = await sumOf(kept, 'ingestion_counts');
  expect(after).toEqual(await sumOf(real, 'ingestion_jobs'));
  expect(after?.waiting).toBe((counted?.waiting ?? 0) - 12);
});

test('dead letters of another tenant are not there', async () => {
  const set = await spec.newSet();
  fake.reply(/message/, 'no JSON');
  await spec.say(one, set, ['message']);
  world.triggers = { messages: 1, ageSeconds: 300 };
  await settle(set);
  const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 100 });
  const uid = letters.find(({ setId }) => setId === set)?.uid ?? '';
  const stranger = fullScope({ orgId: 'other', projectUid: spec.projectUid });
  for (const act of [
    one.letters.get(stranger, uid),
    one.letters.replay(stranger, uid, one.once),
    one.letters.drop(stranger, uid, one.once),
  ]) {
    await expect(act).rejects.toMatchObject({ code: 'dead_letter_not_found' });
  }
  await one.letters.drop(spec.owner, uid, one.once);
  await expect(one.letters.get(spec.owner, uid)).rejects.toMatchObject({ code: 'dead_letter_not_found' });
});

describe('consolidation', () => {
  const pileUp = async (): Promise<string> => {
    const set = await spec.newSet();
    const messages = [1, 2, 3, 4, 5];
    const commands = texts(20).map((value) => ({
      command: 'add',
      tag: 'facts',
      feature: 'fact',
      value,
      messages,
    }));
    fake.reply('HISTORY', { commands });
    await spec.say(one, set, texts(5));
    return set;
  };

  test('that cannot be used changes nothing, and what was ingested stays', async () => {
    const set = await pileUp();
    await one.drain();
    fake.reset();
    const merged = [{ tag: 'facts', feature: 'fact', value: 'all in one' }];
    fake.reply('"keep_memories"', { consolidated_memories: merged, keep_memories: [] });
    fake.reply('HISTORY', add('one more'));
    await spec.say(one, set, texts(5));
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 5 });
    await spec.say(one, set, texts(5));
    await one.drain();
    expect(fake.calls()).toHaveLength(2);
    expect(await values(set)).toHaveLength(21);
    expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  });
});

test('a flood of one tenant does not keep another one waiting', async () => {
  const sets = await Promise.all(texts(5).map(() => spec.newSet()));
  for (const set of sets) await spec.say(one, set, texts(5));
  const busy = await one.jobs.claim(30_000);
  const other = await spec.newSet();
  await spec.say(one, other, texts(5));
  await spec.database.query(
    `UPDATE semantic.ingestion_jobs SET project_uid = gen_random_uuid() WHERE set_uid = $1`,
    [other],
  );
  const next = await two.jobs.claim(30_000);
  expect(busy?.setUid).not.toBe(other);
  expect(next?.setUid).toBe(other);
});

describe('how many statements a pass takes', () => {
  const counted = async (messages: number): Promise<number> => {
    await one.drain();
    const set = await spec.newSet();
    await spec.say(one, set, texts(messages));
    const statements = await one.statementsOf(() => one.runner.runNext());
    expect(await spec.job(set)).toMatchObject({ state: 'idle', waiting: 0 });
    return statements;
  };

  test('does not grow with its messages, and asks for suspects once where there are none', async () => {
    fake.reply('message', add('learned'));
    expect([await counted(5), await counted(20)]).toEqual([33, 33]);
  });
});
