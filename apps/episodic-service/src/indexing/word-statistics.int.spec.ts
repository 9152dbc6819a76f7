import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { CountedWords, WordChanges, WordStatistics, WordUpkeep } from '@loci/indexing';
import { encodeQuery } from '@loci/models';
import { Metrics, PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { batchOf, instant, migrate, Replica } from '../../test/replica.js';
import { EpisodicServiceEnv } from '../env.js';
import { COUNTED_EPISODES } from './counted-episodes.sql.js';
import { IndexedEpisodes } from './indexed-episodes.js';

const logger = new PinoLogger({ service: 'spec', level: 'silent' });

let testDatabase: TestDatabase;
let one: Replica;
let project: ProjectReference;
let changes: WordChanges;
let upkeep: WordUpkeep;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  await migrate(testDatabase.url);
  one = await Replica.open(testDatabase.url);
});

afterAll(async () => {
  await one.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  project = await one.openProject();
  changes = new WordChanges();
  upkeep = workerWith(changes);
});

const contentOf = ({ index }: Replica): IndexedEpisodes => new IndexedEpisodes(index, new Metrics('spec'));

const workerWith = (heard: WordChanges): WordUpkeep =>
  new WordUpkeep(new EpisodicServiceEnv(), one.words, contentOf(one), heard, logger);

const termOf = (word: string): number => encodeQuery(word).indices[0] ?? -1;

const counted = async (of = project): Promise<CountedWords | undefined> =>
  (await one.words.of(of.projectUid))?.value;

/** Adds messages as the consumer hears of them. */
async function add(texts: readonly string[], to = project): Promise<string[]> {
  const batch = batchOf(...texts.map((content) => ({ content })));
  await one.episodes.add(to.tenant, batch);
  changes.noteAdded(to.projectUid, texts.length);
  return batch.episodes.map(({ uid }) => uid);
}

const TWENTY = Array.from({ length: 20 }, (_, index) => `The ferry leaves at ${index}.`);

const dueNow = (): Promise<unknown> =>
  testDatabase.query(
    `UPDATE episodic.word_statistics SET due_at = now() WHERE owner_uid = '${project.projectUid}' AND due_at IS NOT NULL`,
  );

test('a few messages are not counted, twenty are, each once', async () => {
  await add(TWENTY.slice(0, 3));
  await upkeep.work();
  expect((await counted())?.texts).toBe(0);
  await add(TWENTY.slice(3));
  await upkeep.work();
  expect(await counted()).toMatchObject({ texts: 20 });
  expect((await counted())?.textsWith(termOf('ferry'))).toBe(20);
});

test('what two workers noted is added up', async () => {
  const others = new WordChanges();
  await add(TWENTY);
  others.noteAdded(project.projectUid, 10);
  changes.take();
  changes.noteAdded(project.projectUid, 10);
  await upkeep.work();
  expect((await counted())?.texts).toBe(0);
  await workerWith(others).work();
  expect((await counted())?.texts).toBe(20);
});

test('what another project stores changes nothing', async () => {
  const other = await one.openProject();
  await add(TWENTY);
  await add(
    TWENTY.map(() => 'A zeppelin over the town.'),
    other,
  );
  await upkeep.work();
  expect((await counted())?.textsWith(termOf('zeppelin'))).toBe(0);
  expect((await counted(other))?.textsWith(termOf('zeppelin'))).toBe(20);
});

test('few messages more of many are not counted, many are', async () => {
  await add([...TWENTY, ...TWENTY, ...TWENTY, ...TWENTY]);
  await upkeep.work();
  await add(TWENTY.slice(0, 19));
  await upkeep.work();
  expect((await counted())?.texts).toBe(80);
  await add(TWENTY.slice(0, 1));
  await upkeep.work();
  expect((await counted())?.texts).toBe(100);
});

test('what is deleted is soon not counted any more, however little it is', async () => {
  const uids = await add([...TWENTY, ...['red', 'blue', 'green'].map((color) => `A ${color} zeppelin.`)]);
  await upkeep.work();
  expect((await counted())?.textsWith(termOf('zeppelin'))).toBe(3);
  await one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, uids.slice(-1), tx));
  changes.noteRemoved(project.projectUid);
  await upkeep.work();
  await dueNow();
  await upkeep.work();
  expect((await counted())?.textsWith(termOf('zeppelin'))).toBe(0);
  expect((await counted())?.texts).toBe(22);
});

test('what is deleted while words are counted has them counted again', async () => {
  await add(TWENTY);
  await one.words.note(changes.take());
  const [taken] = await one.words.take(1);
  changes.noteRemoved(project.projectUid);
  await one.words.note(changes.take());
  if (taken) await one.words.save(taken, await CountedWords.in(TWENTY));
  await dueNow();
  expect(await one.words.take(1)).toMatchObject([{ ownerUid: project.projectUid }]);
});

test('what is deleted while the database does not answer is not forgotten', async () => {
  const uids = await add([...TWENTY, ...['red', 'blue', 'green'].map((color) => `A ${color} zeppelin.`)]);
  await upkeep.work();
  await one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, uids.slice(-1), tx));
  changes.noteRemoved(project.projectUid);
  const down = jest.spyOn(one.words, 'note').mockRejectedValueOnce(new Error('down'));
  await expect(upkeep.work()).rejects.toThrow('down');
  down.mockRestore();
  await upkeep.work();
  await dueNow();
  await upkeep.work();
  expect((await counted())?.texts).toBe(22);
});

test('a count that ends behind a later one leaves no fewer changes than none', async () => {
  await add(TWENTY);
  await one.words.note(changes.take());
  const [first] = await one.words.take(1);
  await dueNow();
  const [second] = await one.words.take(1);
  for (const taken of [second, first]) {
    if (taken) await one.words.save(taken, await CountedWords.in(TWENTY));
  }
  const rows = await testDatabase.query('SELECT changed FROM episodic.word_statistics WHERE owner_uid = $1', [
    project.projectUid,
  ]);
  expect(rows).toEqual([{ changed: 0 }]);
});

test('two workers do not count the same project at once', async () => {
  await add(TWENTY);
  await one.words.note(changes.take());
  const taken = await Promise.all([one.words.take(5), one.words.take(5)]);
  expect(taken.flat()).toHaveLength(1);
});

test('a project that is gone is not counted, and an erased one leaves nothing', async () => {
  await add(TWENTY);
  await upkeep.work();
  await one.indexVersions.forget(project.projectUid);
  expect(await counted()).toBeUndefined();
  changes.noteAdded('0190a1b2-0000-7000-8000-000000000000', 20);
  await upkeep.work();
  expect(await one.words.take(5)).toEqual([]);
});

test('a search takes what it read before for as long as nothing was counted anew', async () => {
  const read = jest.spyOn(one.words, 'of');
  const statistics = new WordStatistics(one.words, contentOf(one));
  const rarityNow = async () =>
    statistics.rarityFor(project.projectUid, await one.indexVersions.of(project.projectUid));
  await add(TWENTY);
  await upkeep.work();
  const before = await rarityNow();
  expect([(await rarityNow()).documents, read.mock.calls.length]).toEqual([before.documents, 1]);
  await add([...TWENTY, ...TWENTY]);
  await upkeep.work();
  const after = await rarityNow();
  expect([after.documents - before.documents, read.mock.calls.length]).toEqual([40, 2]);
  read.mockRestore();
});

test('a search counts by itself what no worker has counted yet', async () => {
  const statistics = new WordStatistics(one.words, contentOf(one));
  const rarityNow = async () =>
    statistics.rarityFor(project.projectUid, await one.indexVersions.of(project.projectUid));
  await add([...TWENTY, 'A zeppelin.']);
  const rarity = await rarityNow();
  expect(rarity.of(termOf('ferry'))).toBeLessThan(rarity.of(termOf('zeppelin')));
  expect(await counted()).toBeUndefined();
});

test('the messages that are counted are read by their uids, whatever the statistics say', async () => {
  const plan = await testDatabase.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${COUNTED_EPISODES.text}`, [
    project.projectUid,
    500,
  ]);
  const lines = plan.map((line) => line['QUERY PLAN']);
  expect(
    lines.slice(lines.findIndex((line) => line.includes('Subquery Scan on episodes'))).join('\n'),
  ).toMatch(/Index Cond: .*uid = ANY/);
});

test('of a project with more messages than are counted, old and new ones are', async () => {
  const said = [
    ...TWENTY.map(() => 'A zeppelin.'),
    ...TWENTY.map(() => 'A ferry.'),
    ...TWENTY.map(() => 'A tram.'),
  ];
  const at = (minute: number) => instant(`2024-05-01T10:${String(minute).padStart(2, '0')}:00Z`);
  const batch = batchOf(...said.map((content, minute) => ({ content, createdAt: at(minute) })));
  await one.episodes.add(project.tenant, batch);
  const texts = await contentOf(one).textsToMatch(project.projectUid, 40);
  expect(texts.length).toBeLessThanOrEqual(40);
  expect(new Set(texts.map((text) => text.split(' ').at(-1)))).toEqual(
    new Set(['zeppelin.', 'ferry.', 'tram.']),
  );
});

test('what is outside of long-term memory is passed over, 5,000 of the newest and 250 from each moment on', async () => {
  const said = (content: string, day: string) =>
    one.episodes.add(project.tenant, batchOf({ content, createdAt: instant(`${day}T00:00:00Z`) }));
  await said('A zeppelin.', '2022-01-01');
  await one.addMany(project.projectUid, 250, `'2022-01-02'::timestamptz + n * interval '1 second'`);
  await said('A ferry.', '2022-02-01');
  await said('A tram.', '2025-12-01');
  await one.addMany(project.projectUid, 4_999, `'2026-01-01'::timestamptz + n * interval '1 second'`);
  const texts = await contentOf(one).textsToMatch(project.projectUid, 200);
  expect(texts.map((text) => text.split(' ').at(-1)).sort()).toEqual(['tram.', 'zeppelin.']);
});
