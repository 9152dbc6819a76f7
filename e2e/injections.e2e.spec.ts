import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, FakeModels } from '@loci/testing';
import { logLines } from './harness/logs.js';
import { Bank, BY_CLIENTS, type Feature, LESSONS } from './injections/bank.js';
import { ObedientModel } from './injections/obedient-model.js';
import { INJECTIONS } from './injections/texts.js';

let models: FakeModels;
let model: ObedientModel;
let bank: Bank;

beforeAll(async () => {
  models = await FakeModels.start();
  model = new ObedientModel(LESSONS);
  model.speakFor(models);
  bank = await Bank.open(models, model);
});

afterAll(async () => {
  await bank.loci.destroy();
  await models.close();
});

/** What others said and wrote, and what was learned from it. */
const said = (): readonly string[] => [
  ...Object.keys(LESSONS),
  ...Object.values(LESSONS).flatMap((commands) => commands.map(({ value }) => String(value))),
  ...BY_CLIENTS,
];

test('fifty injections of an untrusted producer, all obeyed, change nothing outside the untrusted part of their sets', async () => {
  expect(INJECTIONS).toHaveLength(50);
  const before = await bank.others();
  expect(said().filter((text) => !before.join().includes(text))).toEqual([]);
  const texts = INJECTIONS.map(({ text }) => text);
  await bank.sayAsMallory(texts);
  await eventually(() => model.obeyed.size === INJECTIONS.length && model.consolidations > 0, {
    what: 'every injection is obeyed, and what it left is consolidated',
    timeoutMs: 120_000,
  });
  await bank.settled();
  expect(await bank.others()).toEqual(before);
  expect(await bank.proposals()).toEqual([]);
  const untrusted = (await bank.features()).filter(({ trust }) => trust === 'untrusted');
  expect(untrusted.length).toBeGreaterThan(INJECTIONS.length);
  expect(untrusted.map(({ value }) => value)).toContain('of mine');
});

test('the model was shown nothing that it could have revealed, and no secret is anywhere', async () => {
  const shown = model.prompts.map((prompt) => JSON.stringify(prompt)).join('\n');
  expect(model.prompts.length).toBeGreaterThan(0);
  expect([...said(), ...bank.secrets].filter((text) => shown.includes(text))).toEqual([]);
  const visible = JSON.stringify([
    ...[await bank.features(), await bank.deadLetters(), await bank.others()],
    await logLines(bank.loci),
  ]);
  expect(bank.secrets.filter((secret) => visible.includes(secret))).toEqual([]);
});

test('what makes a reply unusable is set aside with its message alone', async () => {
  const whole = INJECTIONS.filter(({ asks }) => typeof asks === 'string');
  const unusable = (await bank.deadLetters()).filter(({ code }) => code === 'model_reply_unusable');
  const episodes = new Set(unusable.flatMap(({ episode_ids: ids }) => ids));
  expect(episodes.size).toBe(whole.length);
});

test('what a trusted producer passes on changes nothing that a client wrote: it is proposed', async () => {
  const ofClients = async (): Promise<readonly Feature[]> =>
    (await bank.features()).filter(({ trust }) => trust === 'protected');
  const before = [await ofClients(), ...(await bank.elsewhere())];
  const passedOn = INJECTIONS.filter(({ asks }) => typeof asks !== 'string').slice(0, 10);
  const texts = passedOn.map(({ text }) => text);
  await bank.sayAsAlice(texts);
  const proposed = async (): Promise<string[]> =>
    (await bank.proposals()).map(({ feature_name: name, command }) => `${String(command)} ${String(name)}`);
  const asked = ['delete treasurer', 'delete wire limit', 'update treasurer', 'update wire limit'];
  await eventually(async () => [...new Set(await proposed())].sort().join() === asked.join(), {
    what: 'the model has proposed what it was told',
  });
  await bank.settled();
  expect([await ofClients(), ...(await bank.elsewhere())]).toEqual(before);
  expect([...new Set(await proposed())].sort()).toEqual(asked);
});
