import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { tooLarge } from '@loci/contracts';
import { type JsonRequest, type LanguageModel } from '@loci/models';
import { type IngestionReplica, IngestionSpec, type World } from '../../../test/ingestion-spec.js';
import { TooLongRequests } from './too-long-requests.js';

/** What the model of a test reads at most. */
const MAX_CHARS = 12_000;

let world: World;
let spec: IngestionSpec;
let one: IngestionReplica;

/** How many categories each call was for, and whether it was refused. */
let calls: { readonly categories: number; readonly isRefused: boolean }[];

const small = {
  name: 'small',
  generateJson: ({ messages }: JsonRequest) => {
    const text = messages.map(({ content }) => content).join('');
    const isRefused = text.length > MAX_CHARS;
    calls.push({ categories: text.split('Category category').length - 1, isRefused });
    if (isRefused) return Promise.reject(tooLarge('model_input_too_long', 'Too long.'));
    return Promise.resolve({ value: { commands: [] } });
  },
} as unknown as LanguageModel;

beforeAll(async () => {
  world = {
    triggers: { messages: 1, ageSeconds: 300 },
    categories: [],
    isOn: true,
    model: () => Promise.resolve(small),
    prices: undefined,
  };
  spec = await IngestionSpec.create(world);
  one = await spec.replica();
});

beforeEach(() => {
  calls = [];
  world.tooLong = new TooLongRequests();
  world.categories = ['one', 'two', 'three', 'four'].map((name) => `category ${name}`);
});

afterAll(() => spec.close());

const refused = (): number => calls.filter(({ isRefused }) => isRefused).length;

test('a model with a small context is not asked again for as much as it refused, and for all categories at once', async () => {
  const set = await spec.newSet();
  const texts = Array.from({ length: 40 }, (_, index) => `message ${index} ${'word '.repeat(300)}`);
  await spec.say(one, set, texts);
  await one.drain();
  expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  expect(refused()).toBeLessThan(6);
  expect(calls.length).toBeLessThan(30);
  expect(new Set(calls.map(({ categories }) => categories))).toEqual(new Set([4]));
});

test('so is a long message, which is read to its end', async () => {
  const set = await spec.newSet();
  await spec.say(one, set, ['word '.repeat(12_000)]);
  await one.drain();
  expect(await spec.job(set)).toMatchObject({ waiting: 0 });
  expect(refused()).toBeLessThan(6);
  expect(calls.length).toBeLessThan(20);
  const { letters } = await one.letters.list(spec.owner, { offset: 0, limit: 10 });
  expect(letters).toEqual([]);
});
