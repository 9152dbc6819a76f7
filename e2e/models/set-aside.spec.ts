import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, type Loci } from '@loci/testing';
import type pg from 'pg';
import { Client, type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { withDatabase } from '../harness/database.js';
import { product } from './product.js';
import { summaryOf, untilSummaryIs } from './summary.js';

const PADDING = '.'.repeat(200);
const SUMMARY = 'They spoke of a deadly plan.';

let models: FakeModels;
let loci: Loci;

function answerAgain(): void {
  models.reset();
  models.reply('running summary', SUMMARY);
}

/** A project whose vectors are of the embedder that needs no provider. */
async function open(project_id: string): Promise<{ client: Client; uid: string }> {
  const client = new Client(loci.url, { org_id: 'acme-deadly', project_id });
  await client.expect(201, '/projects', { config: { embedder: 'local' } });
  const uid = await inDatabase(async (database) => {
    const { rows } = await database.query<{ uid: string }>(
      `SELECT uid FROM config.projects WHERE org_id = 'acme-deadly' AND project_id = $1`,
      [project_id],
    );
    return rows[0]?.uid;
  });
  if (uid === undefined) throw new Error(`${project_id} is not there`);
  return { client, uid };
}

const inDatabase = async <T>(work: (database: pg.Client) => Promise<T>): Promise<T> =>
  withDatabase(await loci.databaseUrlOf('migrate'), async (database) => {
    await database.query(`SELECT set_config('loci.scope', '*', false)`);
    return work(database);
  });

/** Attempts at a piece of work that were begun and did not end. @param where it is noted, and whose it is */
const attemptsAt = (where: string, uid: string): Promise<number> =>
  inDatabase(async (database) => {
    const { rows } = await database.query<{ n: number }>(
      `SELECT coalesce(max(unfinished), 0)::int AS n FROM episodic.${where} = $1`,
      [uid],
    );
    return rows[0]?.n ?? 0;
  });

/** A lease need not run out to be taken over. One whose row is locked is left alone: the next attempt may be under way. */
const endLease = (where: string, uid: string): Promise<unknown> =>
  inDatabase((database) => {
    const [table = ''] = where.split(' ');
    return database.query(
      `UPDATE episodic.${table} SET lease_until = now() WHERE ctid IN (
         SELECT ctid FROM episodic.${where} = $1 AND lease_until IS NOT NULL FOR UPDATE SKIP LOCKED)`,
      [uid],
    );
  });

/** The process that does the work ends three times while it does it. */
async function endThreeTimes(where: string, uid: string): Promise<void> {
  for (const deaths of [1, 2, 3]) {
    await eventually(async () => (await attemptsAt(where, uid)) === deaths, {
      what: `attempt ${deaths} is under way`,
    });
    await loci.kill('episodic-worker');
    await endLease(where, uid);
  }
}

/** Whatever writes to the messages of a project waits meanwhile. */
const whileRowsWait = (uid: string, meanwhile: () => Promise<void>): Promise<void> =>
  inDatabase(async (locker) => {
    await locker.query('BEGIN');
    await locker.query('SELECT FROM episodic.episodes WHERE project_uid = $1 FOR UPDATE', [uid]);
    await meanwhile();
  });

const runFile = promisify(execFile);

/** What an operator calls. */
async function setAside(...choice: readonly string[]): Promise<string> {
  const DATABASE_URL = await loci.databaseUrlOf('migrate');
  const env = { ...process.env, DATABASE_URL };
  return (await runFile(process.execPath, ['tools/set-aside.mjs', ...choice], { env })).stdout;
}

async function metricOf(kind: string): Promise<boolean> {
  const { ports } = await loci.process('episodic-worker');
  const text = await (await fetch(`http://127.0.0.1:${String(ports['http'])}/metrics`)).text();
  return new RegExp(`^work_set_aside\\{.*kind="${kind}".*\\} 1$`, 'm').test(text);
}

async function isShown(kind: string, uid: string): Promise<void> {
  await eventually(() => metricOf(kind), { what: `the metric counts one ${kind}` });
  expect(await setAside('list')).toContain(`episodic  ${kind}  ${uid}`);
}

const choose = async (client: Client, embedder: string): Promise<void> => {
  const { status } = await new ConfigClient(loci.url).at('PUT', '/api/v2/projects/config', {
    ...client.project,
    embedder,
  });
  expect(status).toBe(200);
};

const indexOf = async (client: Client): Promise<Json> => (await client.ask('GET', '/projects/index')).body;

const embedderOf = async (client: Client): Promise<unknown> =>
  ((await indexOf(client))['active'] as Json | null)?.['embedder'];

const talk = (client: Client): Promise<string[]> =>
  client.add(['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `${word} ${PADDING}`));

const isSummarized = (client: Client): Promise<unknown> =>
  eventually(async () => (await summaryOf(client)) === SUMMARY, { what: 'the summary' });

describe('work that ended its process three times', () => {
  beforeAll(async () => {
    models = await FakeModels.start();
    loci = await product();
    const config = new ConfigClient(loci.url);
    const openAi = { model: 'some-model', api_key: 'a-good-key', base_url: models.openAiUrl };
    const scribe = {
      ...{ name: 'scribe', provider: 'openai-chat-completions', config: openAi },
      may_be_default: false,
    };
    expect((await config.register('language_models', scribe)).body).toMatchObject({ status: 'ready' });
    const remote = { ...openAi, dimensions: 64 };
    const embedder = { name: 'remote', provider: 'openai', config: remote };
    expect((await config.register('embedders', embedder)).body).toMatchObject({ status: 'ready' });
    const memory = { llm_model: 'scribe', message_capacity: 1_000 };
    expect((await config.put('/memory/episodic/short_term', memory)).status).toBe(200);
    answerAgain();
    const { client, uid } = await open('first-talk');
    await untilSummaryIs(SUMMARY, client, () => talk(client));
    // or what it goes on with would be set aside, too
    await client.expect(204, '/projects/delete', {});
    await eventually(async () => (await attemptsAt('summaries WHERE project_uid', uid)) === 0, {
      what: 'nothing of it is under way',
    });
  });

  afterAll(() => models.close());

  test('a summary is set aside; others are written, and it when told', async () => {
    const { client, uid } = await open('summed');
    models.fail({ path: 'chat/completions', kind: 'hang', times: 1_000 });
    await talk(client);
    await endThreeTimes('summaries WHERE project_uid', uid);
    answerAgain();
    await isShown('summary', uid);
    const other = await open('summed-too');
    await talk(other.client);
    await isSummarized(other.client);
    expect([await summaryOf(client), await attemptsAt('summaries WHERE project_uid', uid)]).toEqual(['', 3]);
    await setAside('retry', 'summary', uid);
    await isSummarized(client);
  });

  test('a re-embedding is set aside; others are done, and it when told', async () => {
    const { client, uid } = await open('embedded-anew');
    const other = await open('embedded-anew-too');
    const isReadyBy = (one: Client, embedder: string): Promise<unknown> =>
      eventually(
        async () => (await indexOf(one))['state'] === 'ready' && (await embedderOf(one)) === embedder,
        {
          what: `the vectors are those of ${embedder}`,
        },
      );
    for (const one of [client, other.client]) {
      await one.add(['to be embedded again']);
      await isReadyBy(one, 'local');
    }
    models.fail({ path: 'embeddings', kind: 'hang', times: 1_000 });
    await choose(client, 'remote');
    await endThreeTimes(`index_spaces WHERE state = 'building' AND owner_uid`, uid);
    answerAgain();
    await isShown('re-embedding', uid);
    await choose(other.client, 'remote');
    await isReadyBy(other.client, 'remote');
    expect(await indexOf(client)).toMatchObject({ state: 'waiting', active: { embedder: 'local' } });
    await setAside('retry', 're-embedding', uid);
    await isReadyBy(client, 'remote');
  });

  test('an erasure is set aside; others are done, and it when told', async () => {
    const { client, uid } = await open('erased');
    const other = await open('erased-too');
    for (const one of [client, other.client]) await one.add(['to be forgotten']);
    const isGone = (one: Client): Promise<unknown> =>
      eventually(async () => (await one.post('/projects/get', {})).status === 404, { what: 'it is erased' });
    await whileRowsWait(uid, async () => {
      await client.expect(204, '/projects/delete', {});
      await endThreeTimes(`work_leases WHERE kind = 'erasure' AND key`, uid);
    });
    await isShown('erasure', uid);
    await other.client.expect(204, '/projects/delete', {});
    await isGone(other.client);
    expect(await attemptsAt(`work_leases WHERE kind = 'erasure' AND key`, uid)).toBe(3);
    await setAside('retry', 'erasure', uid);
    await isGone(client);
  });

  test('a deletion is set aside and says so; others are done, and it when told', async () => {
    const { client, uid } = await open('deleted');
    const other = await open('deleted-too');
    const filter = "metadata.kind = 'old'";
    const forget = async (one: Client): Promise<string> =>
      (await one.expect(202, '/memories/forget', { filter }))['id'] as string;
    const job = async (one: Client, id: string): Promise<Json> =>
      (await one.ask('GET', `/memories/forget/${id}`)).body;
    const isDone = (one: Client, id: string): Promise<unknown> =>
      eventually(async () => (await job(one, id))['state'] === 'done', { what: 'the deletion is done' });
    await client.add(['to be deleted'], { metadata: { kind: 'old' } });
    let id = '';
    await whileRowsWait(uid, async () => {
      id = await forget(client);
      await endThreeTimes('deletions WHERE project_uid', uid);
    });
    await isShown('deletion', id);
    expect(await job(client, id)).toMatchObject({
      state: 'deleting',
      error: expect.stringMatching(/^Its process ended 3 times/),
    });
    await other.client.add(['to be deleted'], { metadata: { kind: 'old' } });
    await isDone(other.client, await forget(other.client));
    await setAside('retry', 'deletion', id);
    await isDone(client, id);
  });
});
