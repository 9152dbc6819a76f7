import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from './harness/client.js';
import { countPoints } from './harness/vectors.js';

const TOPICS = [
  'tea',
  'sailing',
  'the basement server',
  'a birthday cake',
  'night trains',
  'old maps',
  'chess',
];
const QUESTIONS = [
  'Who bakes?',
  'travel by rail',
  'board games',
  'boats',
  'hot drinks',
  'machines below the house',
];

let loci: Loci;
let projects: Client[];

beforeAll(async () => {
  loci = await Loci.start();
  projects = ['one', 'two'].map((project_id) => new Client(loci.url, { org_id: 'acme', project_id }));
  for (const [place, project] of projects.entries()) {
    const contents = Array.from(
      { length: 70 },
      (_, n) => `Note ${n}: ${TOPICS[(n + place) % TOPICS.length] ?? ''} is on my mind`,
    );
    await project.add(contents);
    await project.disableShortTerm();
  }
  await indexed(140);
});

afterAll(() => loci.destroy());

const indexed = (count: number): Promise<true> =>
  eventually(async () => (await countPoints(loci)) === count, {
    what: `${count} vectors are there`,
    timeoutMs: 60_000,
  });

interface Ranked {
  readonly uid: string;
  readonly score: number;
}

/** The answers to all questions in all projects; scores as far as floating point repeats itself. */
async function answers(): Promise<Ranked[][]> {
  const asked = projects.flatMap((project) =>
    QUESTIONS.map((question) => project.search(question, { top_k: 10 })),
  );
  return (await Promise.all(asked)).map(({ longTerm }) =>
    longTerm.map(({ uid, score = 0 }) => ({ uid, score: Math.round(score * 1e4) })),
  );
}

test('P3: with the JetStream store wiped, the same searches give the same answers and new episodes are indexed', async () => {
  const before = await answers();
  expect(before.every((hits) => hits.length === 10)).toBe(true);
  await rm(join(loci.dataDir, 'nats'), { recursive: true, force: true, maxRetries: 5 });
  await loci.kill('nats');
  await loci.ready();
  expect(await answers()).toEqual(before);
  const [uid] = await projects[0]!.add(['A zeppelin crossed the harbour.']);
  expect((await projects[0]!.search('zeppelin', { top_k: 1 })).longTerm[0]?.uid).toBe(uid);
  await indexed(141);
  await projects[0]!.expect(204, '/memories/episodic/delete', { episodic_id: uid });
  await indexed(140);
  expect(await answers()).toEqual(before);
});

test('P3: with the Qdrant storage wiped, the index is rebuilt and the same searches give the same answers', async () => {
  const before = await answers();
  await rm(join(loci.dataDir, 'qdrant', 'storage'), { recursive: true, force: true, maxRetries: 5 });
  await loci.kill('qdrant');
  await loci.ready();
  await indexed(140);
  expect(await eventually(answers, { what: 'searches answer again' })).toEqual(before);
});

test('points that the index lost, or holds too many of, are found by comparing it with the truth', async () => {
  const before = await answers();
  await deleteSomePoints();
  await indexed(140);
  expect(await answers()).toEqual(before);
});

/** Behind the product's back, as a broken disk would. */
async function deleteSomePoints(): Promise<void> {
  const { ports } = await loci.process('qdrant');
  const url = `http://127.0.0.1:${String(ports['http'])}/collections`;
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { result: T }).result;
  };
  const { result } = (await (await fetch(url)).json()) as { result: { collections: { name: string }[] } };
  const name = result.collections[0]?.name ?? '';
  const { points } = await post<{ points: { id: string }[] }>(`/${name}/points/scroll`, { limit: 20 });
  await post(`/${name}/points/delete?wait=true`, { points: points.map(({ id }) => id) });
  expect(await countPoints(loci)).toBe(120);
}
