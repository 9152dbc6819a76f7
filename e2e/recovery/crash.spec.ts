import { beforeAll, expect, test } from '@jest/globals';
import { eventually, type Loci, type ProcessName } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from '../harness/client.js';
import { pointsAmong } from '../harness/vectors.js';
import { product } from './product.js';

const WRITERS = 4;
/** Slow enough that the index keeps up: the test is about loss, not about load. */
const PAUSE_MS = 200;
const VICTIMS: readonly ProcessName[] = [
  'episodic-worker',
  'episodic-api',
  'config-service',
  'nats',
  'qdrant',
  'postgres',
  'gateway',
];

let loci: Loci;

beforeAll(async () => {
  loci = await product();
});

/**
 * Writes like an agent that does not give up: each batch has one idempotency key and is sent again until it is
 * acknowledged. `acknowledged` maps each uid to its content.
 */
class Writer {
  readonly acknowledged = new Map<string, string>();
  private isStopped = false;
  private batches = 0;

  constructor(
    private readonly client: Client,
    private readonly name: string,
  ) {}

  stop(): void {
    this.isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      const batch = this.batches++;
      const contents = [1, 2, 3].map((index) => `${this.name} says sentence ${index} of batch ${batch}`);
      const uids = await this.addUntilAcknowledged(contents, randomUUID());
      uids.forEach((uid, index) => this.acknowledged.set(uid, contents[index] ?? ''));
      await setTimeout(PAUSE_MS);
    }
  }

  /** Waits until this writer has been acknowledged again from now on. */
  async progress(): Promise<void> {
    const before = this.acknowledged.size;
    await eventually(() => this.acknowledged.size > before + 6, {
      what: `${this.name} is acknowledged again`,
    });
  }

  private addUntilAcknowledged(contents: readonly string[], key: string): Promise<string[]> {
    const messages = contents.map((content) => ({ content, producer: this.name }));
    return eventually(
      async () => {
        const answer = await this.client.post('/memories', { messages }, { 'idempotency-key': key });
        if (answer.status !== 200) return undefined;
        return (answer.body['results'] as { uid: string }[]).map(({ uid }) => uid);
      },
      { what: 'an add is acknowledged' },
    );
  }
}

test('P2: whichever process is killed under load, nothing acknowledged is lost and nothing is there twice', async () => {
  const client = new Client(loci.url, { org_id: 'acme', project_id: 'crashes' });
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(client, `writer${index}`));
  const running = writers.map((writer) => writer.run());
  for (const victim of VICTIMS) {
    await Promise.all(writers.map((writer) => writer.progress()));
    await loci.kill(victim);
    await Promise.all(writers.map((writer) => writer.progress()));
  }
  writers.forEach((writer) => writer.stop());
  await Promise.all(running);
  await loci.ready();

  const acknowledged = new Map(writers.flatMap((writer) => [...writer.acknowledged]));
  const stored = await client.listAll();
  expect(acknowledged.size).toBeGreaterThan(WRITERS * VICTIMS.length * 6);
  expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length);
  expect(Object.fromEntries(stored.map(({ uid, content }) => [uid, content]))).toEqual(
    Object.fromEntries(acknowledged),
  );

  const uids = stored.map(({ uid }) => uid);
  await eventually(async () => (await pointsAmong(loci, uids)).length === uids.length, {
    what: 'every episode has its vector',
  });
  await client.disableShortTerm();
  for (const writer of writers) {
    const [uid = '', content = ''] = [...writer.acknowledged].at(-1) ?? [];
    const { longTerm } = await client.search(content, { top_k: 5 });
    expect(longTerm.map((episode) => episode.uid)).toContain(uid);
  }
});

test('P2: a job that forgets a user ends, whichever process is killed, and takes no other along', async () => {
  const client = new Client(loci.url, { org_id: 'acme', project_id: 'forgetting' });
  const texts = (name: string): string[] => Array.from({ length: 300 }, (_, n) => `${name} says ${n}`);
  const hers: string[] = [];
  for (let batch = 0; batch < 8; batch += 1)
    hers.push(...(await client.add(texts('mira'), { producer: 'mira' })));
  const his = await client.add(texts('bob'), { producer: 'bob' });
  const { id } = await client.expect(202, '/memories/forget', { filter: `producer_id='mira'` });
  for (const victim of ['episodic-worker', 'postgres', 'episodic-worker', 'nats'] as const)
    await loci.kill(victim);
  await loci.ready();
  const state = async (): Promise<unknown> =>
    (await client.ask('GET', `/memories/forget/${String(id)}`)).body;
  await eventually(async () => ((await state()) as { state?: string }).state === 'done', {
    what: 'the job is done',
  });
  expect(await state()).toMatchObject({ matching: hers.length, deleted: hers.length });
  expect((await client.listAll()).map(({ uid }) => uid).sort()).toEqual([...his].sort());
  expect(await pointsAmong(loci, hers.slice(0, 1_000))).toEqual([]);
});
