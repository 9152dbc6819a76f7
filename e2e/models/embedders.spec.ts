import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, type Loci } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { msUntil } from '../harness/ms-until.js';
import { pointsByCollection } from '../harness/vectors.js';
import { product } from './product.js';

/** A call of an embedder that hangs is given up after thirty seconds: what waits for it comes later than this. */
const BEFORE_A_HANG_ENDS_MS = 25_000;

const TEXTS = Array.from({ length: 300 }, (_, index) => `note ${index} about subject ${index % 7}`);

let models: FakeModels;
let loci: Loci;
let config: ConfigClient;

beforeAll(async () => {
  models = await FakeModels.start();
  loci = await product();
  config = new ConfigClient(loci.url);
  for (const [name, dimensions] of [
    ['small', 64],
    ['large', 256],
  ] as const) {
    const spec = { model: `model-${name}`, api_key: 'a-good-key', base_url: models.openAiUrl, dimensions };
    const added = await config.register('embedders', { name, provider: 'openai', config: spec });
    expect(added.body).toMatchObject({ status: 'ready' });
  }
});

afterEach(() => models.reset());

afterAll(() => models.close());

const open = async (project_id: string): Promise<Client> => {
  const client = new Client(loci.url, { org_id: 'acme', project_id });
  await client.expect(201, '/projects', {});
  await client.disableShortTerm();
  return client;
};

const useByDefault = async (embedder: string): Promise<void> => {
  expect((await config.put('/memory/episodic/long_term', { embedder })).status).toBe(200);
};

const choose = async ({ project }: Client, models: object): Promise<Json> => {
  const { status, body } = await config.at('PUT', '/api/v2/projects/config', { ...project, ...models });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

const indexOf = async ({ project }: Client): Promise<Json> => {
  const query = new URLSearchParams(project).toString();
  return (await config.at('GET', `/api/v2/projects/index?${query}`)).body;
};

const isReadyBy = async (client: Client, embedder: string): Promise<boolean> => {
  const { state, active } = await indexOf(client);
  return state === 'ready' && (active as Json | null)?.['embedder'] === embedder;
};

const findsAll = async (client: Client): Promise<void> => {
  const { longTerm } = await client.search('note 42 about subject 0', { top_k: 5 });
  expect(longTerm.map(({ content }) => content)).toContain('note 42 about subject 0');
};

/** What is said of the meaning of each hit, by its content. */
const meaningsOf = async (client: Client, query: string): Promise<Map<string, number>> => {
  const asked = { query, types: ['episodic'], explain: true };
  const { content } = await client.expect(200, '/memories/search', asked);
  const { long_term_memory: found } = (content as { episodic_memory: Json }).episodic_memory;
  const { episodes } = found as { episodes: { content: string; explanation: { parts: Part[] } }[] };
  return new Map(
    episodes.map((hit) => {
      const { contribution = NaN, weight = NaN } =
        hit.explanation.parts.find(({ name }) => name === 'meaning') ?? {};
      return [hit.content, contribution / weight];
    }),
  );
};

interface Part {
  readonly name: string;
  readonly contribution?: number;
  readonly weight?: number;
}

describe('another embedder', () => {
  test('of the deployment: searches go on, the worker is killed in the middle, the old vectors go', async () => {
    const client = await open('moving');
    await client.add(TEXTS);
    await eventually(() => isReadyBy(client, 'local'), { what: 'the first vectors' });
    const before = await pointsByCollection(loci);
    // slow, so that there is a middle
    models.fail({ path: 'embeddings', delayMs: 300, times: 1_000 });
    await useByDefault('small');
    await eventually(
      async () => {
        const { state, target } = await indexOf(client);
        return state === 'moving' && Number((target as Json | null)?.['indexed'] ?? 0) > 0;
      },
      { what: 'the move is under way' },
    );
    await findsAll(client);
    const [added = ''] = await client.add(['a late word: zebra']);
    expect((await client.search('zebra')).longTerm.map(({ uid }) => uid)).toContain(added);
    await loci.kill('episodic-worker');
    await findsAll(client);
    models.reset();
    await eventually(() => isReadyBy(client, 'small'), { what: 'the move is complete' });
    await findsAll(client);
    expect((await client.search('zebra')).longTerm.map(({ uid }) => uid)).toContain(added);
    const old = Object.keys(before);
    await eventually(
      async () => {
        const points = await pointsByCollection(loci);
        const left = old.reduce((sum, name) => sum + (points[name] ?? 0), 0);
        return left === 0 && Object.values(points).includes(TEXTS.length + 1);
      },
      { what: 'the old vectors are gone' },
    );
  });

  test('of one project moves that project alone, and shows in its configuration', async () => {
    const [mover, stayer] = [await open('chooser'), await open('follower')];
    for (const client of [mover, stayer]) await client.add(TEXTS.slice(0, 50));
    await eventually(() => isReadyBy(stayer, 'small'), { what: 'its vectors' });
    expect(await choose(mover, { embedder: 'large' })).toMatchObject({ config: { embedder: 'large' } });
    await eventually(() => isReadyBy(mover, 'large'), { what: 'the move' });
    await findsAll(mover);
    expect(await isReadyBy(stayer, 'small')).toBe(true);
    expect(await mover.expect(200, '/projects/get', {})).toMatchObject({ config: { embedder: 'large' } });
    const { status, body } = await config.at('PUT', '/api/v2/projects/config', {
      ...mover.project,
      embedder: 'unknown',
    });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'embedder'], type: 'unknown_resource' }] },
    });
  });

  test('that is down in the middle: the move waits and says why, adds and searches go on, then it ends', async () => {
    const client = await open('patient');
    await client.add(TEXTS.slice(0, 100));
    await eventually(() => isReadyBy(client, 'small'), { what: 'its vectors' });
    models.fail({ path: 'embeddings', status: 503, times: 1_000 });
    await choose(client, { embedder: 'large' });
    await eventually(async () => (await indexOf(client))['problem'] !== null, {
      what: 'it says why',
    });
    const [added = ''] = await client.add(['okapi in the garden']);
    const answer = await client.post('/memories/search', { query: 'okapi', types: ['episodic'] });
    expect(answer.headers.get('x-degraded')).toContain('embedder_unavailable');
    expect(JSON.stringify(answer.body)).toContain(added);
    models.reset();
    await eventually(() => isReadyBy(client, 'large'), { what: 'the move' });
    expect((await client.search('okapi')).longTerm.map(({ uid }) => uid)).toContain(added);
  });
});

test('an embedder whose cosines all lie above 0.7 tells what is meant from what is not', async () => {
  const spec = { model: 'narrow', api_key: 'a-good-key', base_url: models.openAiUrl, dimensions: 256 };
  await config.post('/resources/embedders', { name: 'narrow', provider: 'openai', config: spec });
  const client = await open('narrow');
  await choose(client, { embedder: 'narrow' });
  await client.add(['The harbour office opens at nine'], { timestamp: '2024-05-01T10:00:00Z' });
  await client.add(['A violin needs new strings'], { timestamp: '2024-05-03T10:00:00Z' });
  await eventually(() => isReadyBy(client, 'narrow'), { what: 'the vectors' });
  const meanings = await meaningsOf(client, 'When does the harbour office opens');
  expect(meanings.get('The harbour office opens at nine')).toBeGreaterThan(0.5);
  expect(meanings.get('A violin needs new strings')).toBeLessThan(0.1);
});

describe('another embedder of features', () => {
  const S = '/memories/semantic';
  const FACTS = Array.from({ length: 60 }, (_, index) => `fact ${index} about subject ${index % 7}`);

  const setOf = async (client: Client): Promise<string> =>
    String((await client.expect(200, `${S}/set_id/get`, { metadata_tags: [] }))['set_id']);

  const learn = (client: Client, set_id: string, value: string): Promise<Json> =>
    client.expect(201, `${S}/feature`, {
      set_id,
      category_name: 'profile',
      tag: 'notes',
      feature: value,
      value,
    });

  const featureIndexOf = async (client: Client): Promise<Json> => (await indexOf(client))['features'] as Json;

  /** By which embedders features are searched, once none of them moves or waits. */
  const embeddersOf = async (client: Client): Promise<Record<string, number>> => {
    const { state, active } = await featureIndexOf(client);
    const spaces = active as { embedder: string; indexed: number }[];
    return state === 'ready' ? Object.fromEntries(spaces.map((one) => [one.embedder, one.indexed])) : {};
  };

  const eventuallyIndexed = (client: Client, wanted: Record<string, number>): Promise<unknown> =>
    eventually(async () => JSON.stringify(await embeddersOf(client)) === JSON.stringify(wanted), {
      what: `the features are searched by ${Object.keys(wanted).join(' and ')}`,
    });

  const finds = async (client: Client, value: string): Promise<void> => {
    const body = { query: value, types: ['semantic'], top_k: 5 };
    const { status, body: found, headers } = await client.post('/memories/search', body);
    expect({ status, degraded: headers.get('x-degraded') }).toEqual({ status: 200, degraded: null });
    expect(JSON.stringify(found)).toContain(JSON.stringify(value));
  };

  test('of the deployment: searches go on, the worker is killed in the middle, then the new one counts', async () => {
    const client = await open('learned');
    const set = await setOf(client);
    for (const fact of FACTS) await learn(client, set, fact);
    await eventuallyIndexed(client, { local: FACTS.length });
    models.fail({ path: 'embeddings', delayMs: 500, times: 1_000 });
    expect((await config.put('/memory/semantic', { embedding_model: 'large' })).status).toBe(200);
    await eventually(async () => (await featureIndexOf(client))['state'] === 'moving', {
      what: 'the move has begun',
    });
    await finds(client, 'fact 42 about subject 0');
    await learn(client, set, 'the okapi sleeps');
    await finds(client, 'the okapi sleeps');
    await loci.kill('semantic-worker');
    await finds(client, 'fact 42 about subject 0');
    models.reset();
    await eventuallyIndexed(client, { large: FACTS.length + 1 });
    const asked = models.calls('embeddings').length;
    await finds(client, 'fact 42 about subject 0');
    await finds(client, 'the okapi sleeps');
    expect(models.calls('embeddings').length).toBeGreaterThan(asked);
  });

  test('of one set moves that set alone; one that is not registered is refused', async () => {
    const [mover, stayer] = [await open('a-set'), await open('another-set')];
    const set_id = await setOf(mover);
    await learn(mover, set_id, 'a zebra grazes');
    await learn(stayer, await setOf(stayer), 'a heron waits');
    for (const client of [mover, stayer]) await eventuallyIndexed(client, { large: 1 });
    await mover.expect(204, `${S}/set/configure`, { set_id, embedder_name: 'small' });
    await eventuallyIndexed(mover, { small: 1 });
    expect(await embeddersOf(stayer)).toEqual({ large: 1 });
    await finds(mover, 'a zebra grazes');
    await finds(stayer, 'a heron waits');
    const { status, body } = await mover.post(`${S}/set/configure`, { set_id, embedder_name: 'unknown' });
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ type: 'unknown_resource' }] } });
  });
});

describe('the memory configuration is in force within two seconds', () => {
  const comesIntoForce = async (isInForce: () => Promise<boolean>, what: string): Promise<void> =>
    expect(await msUntil(isInForce, what)).toBeLessThan(2_000);

  test('switching episodic memory off and on', async () => {
    const client = await open('switched');
    await client.add(['kept']);
    const isShown = async (): Promise<boolean> => {
      const body = await client.expect(200, '/memories/search', { query: 'kept', types: ['episodic'] });
      return 'episodic_memory' in (body['content'] as Json);
    };
    await config.put('/memory/episodic', { enabled: false });
    await comesIntoForce(async () => !(await isShown()), 'it is off');
    await config.put('/memory/episodic', { enabled: true });
    await comesIntoForce(isShown, 'it is on');
  });

  test('how much fits into the short-term window', async () => {
    const client = new Client(loci.url, { org_id: 'acme', project_id: 'window' });
    await client.add(['x'.repeat(100), 'y'.repeat(100), 'z'.repeat(100)]);
    const shown = async (): Promise<number> => (await client.search('x', { top_k: 10 })).shortTerm.length;
    expect(await shown()).toBe(3);
    await config.put('/memory/episodic/short_term', { message_capacity: 200 });
    await comesIntoForce(async () => (await shown()) === 2, 'two fit');
    await config.put('/memory/episodic/short_term', { message_capacity: 64_000 });
    await comesIntoForce(async () => (await shown()) === 3, 'all fit');
  });

  test('which reranker sorts the hits; while it is down the hits keep their sequence, and the answer says so', async () => {
    const client = await open('reranked');
    await client.add(['one fish', 'two fish', 'red fish']);
    const cohere = { cohere_key: 'a-good-key', base_url: models.url };
    const judge = { name: 'judge', provider: 'cohere', config: cohere };
    expect((await config.register('rerankers', judge)).body).toMatchObject({ status: 'ready' });
    await choose(client, { reranker: 'judge' });
    const search = () => client.post('/memories/search', { query: 'red fish', types: ['episodic'] });
    const isAsked = async (): Promise<boolean> => {
      await search();
      return models.calls('rerank').length > 1;
    };
    await comesIntoForce(isAsked, 'it is asked');
    // the embedder was given up while it was down; it comes back by itself
    await eventually(async () => (await search()).headers.get('x-degraded') === null, {
      what: 'all is well',
    });
    models.fail({ path: 'rerank', kind: 'hang', times: 100 });
    const degraded = await search();
    expect(degraded).toMatchObject({ status: 200 });
    expect(degraded.headers.get('x-degraded')).toContain('reranker_unavailable');
  });
});

test('an embedder that answers nothing from its first use on: words alone find, and the index says why', async () => {
  const spec = { model: 'model-first', api_key: 'a-good-key', base_url: models.openAiUrl };
  const embedder = { name: 'first', provider: 'openai', config: spec, may_be_default: false };
  expect((await config.register('embedders', embedder)).body).toMatchObject({ status: 'ready' });
  const client = await open('first-use');
  await choose(client, { embedder: 'first' });
  models.fail({ path: 'embeddings', kind: 'hang', times: 1_000 });
  await client.add(['alpha likes tea', 'beta likes milk']);
  const answer = await client.post('/memories/search', { query: 'who likes milk', types: ['episodic'] });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.headers.get('x-degraded')).toContain('embedder_unavailable');
  expect(JSON.stringify(answer.body)).toContain('beta likes milk');
  // at first a service may not have heard yet that the embedder is ready
  await eventually(async () => (await indexOf(client))['problem'] === "Embedder 'first' takes too long.", {
    what: 'it says why',
  });
  expect(await indexOf(client)).toMatchObject({ state: 'waiting' });
});

describe('an embedder keeps no message of other projects out of the index', () => {
  /** A project with an embedder of its own that is well, and one beside it. */
  const sideBySide = async (name: string): Promise<{ ill: Client; other: Client }> => {
    const spec = { model: `model-${name}`, api_key: 'a-good-key', base_url: models.openAiUrl };
    const embedder = { name, provider: 'openai', config: spec, may_be_default: false };
    expect((await config.register('embedders', embedder)).body).toMatchObject({ status: 'ready' });
    const [ill, other] = [await open(name), await open(`beside-${name}`)];
    await choose(ill, { embedder: name });
    await choose(other, { embedder: 'local' });
    await ill.add(['before']);
    await eventually(() => isReadyBy(ill, name), { what: 'all is well' });
    return { ill, other };
  };

  /** @returns how often the embedder was asked from then on, until the other project was indexed */
  const callsUntilOtherIsIndexed = async (other: Client): Promise<number> => {
    const asked = models.calls('embeddings').length;
    await other.add(['it is not held up']);
    await eventually(() => isReadyBy(other, 'local'), {
      what: 'the other project is indexed',
      timeoutMs: BEFORE_A_HANG_ENDS_MS,
    });
    return models.calls('embeddings').length - asked;
  };

  const eventuallyAsked = (asked: number): Promise<unknown> =>
    eventually(() => models.calls('embeddings').length > asked, { what: 'it is asked' });

  test('when it hangs', async () => {
    const { ill, other } = await sideBySide('hanging');
    models.fail({ path: 'embeddings', kind: 'hang', times: 1_000 });
    const asked = models.calls('embeddings').length;
    await ill.add(TEXTS.slice(0, 60));
    await eventuallyAsked(asked);
    await callsUntilOtherIsIndexed(other);
    expect(await indexOf(ill)).toMatchObject({ state: 'indexing', episodes: 61 });
  });

  test('when it takes four seconds for each of many calls', async () => {
    const { ill, other } = await sideBySide('slow');
    models.fail({ path: 'embeddings', delayMs: 4_000, times: 1_000 });
    const asked = models.calls('embeddings').length;
    for (let n = 0; n < 3; n += 1) await ill.add(TEXTS);
    await eventuallyAsked(asked);
    expect(await callsUntilOtherIsIndexed(other)).toBeLessThan(3);
    models.reset();
    await eventually(() => isReadyBy(ill, 'slow'), {
      what: 'all of its own is indexed, too',
      timeoutMs: 60_000,
    });
  });
});

test('moves to embedders that hang keep no move to another embedder waiting', async () => {
  const ill: Client[] = [];
  for (let n = 0; n < 10; n += 1) {
    const name = `ill-${n}`;
    const spec = { model: `model-${name}`, api_key: 'a-good-key', base_url: models.openAiUrl };
    // the others are asked for their dimensions first, and hang then
    const settings = n < 7 ? { ...spec, dimensions: 64 } : spec;
    const embedder = { name, provider: 'openai', config: settings, may_be_default: false };
    expect((await config.register('embedders', embedder)).body).toMatchObject({ status: 'ready' });
    ill.push(await open(name));
  }
  const [before, later] = [await open('well-before'), await open('well-later')];
  for (const client of [...ill, before, later]) {
    await choose(client, { embedder: 'local' });
    await client.add(['a few', 'messages', 'of a project']);
  }
  for (const client of [...ill, before, later])
    await eventually(() => isReadyBy(client, 'local'), { what: 'the first vectors' });
  models.fail({ path: 'embeddings', text: 'model-ill', kind: 'hang', times: 10_000 });
  for (const [n, client] of ill.entries()) await choose(client, { embedder: `ill-${n}` });
  await choose(before, { embedder: 'small' });
  const isMoved = (client: Client): Promise<unknown> =>
    eventually(() => isReadyBy(client, 'small'), {
      what: 'the move is complete',
      timeoutMs: BEFORE_A_HANG_ENDS_MS,
    });
  await isMoved(before);
  for (const client of ill.slice(0, 7))
    await eventually(async () => (await indexOf(client))['state'] === 'moving', {
      what: 'the embedder that hangs is asked',
    });
  await choose(later, { embedder: 'small' });
  await isMoved(later);
  models.reset();
  for (const [n, client] of ill.entries())
    await eventually(() => isReadyBy(client, `ill-${n}`), {
      what: 'what hung moves once it answers',
      timeoutMs: 120_000,
    });
});

test('an embedder that asked for a pause of minutes is asked again in every process when a retry is asked for', async () => {
  const spec = { model: 'model-quota', api_key: 'a-good-key', base_url: models.openAiUrl, dimensions: 64 };
  const embedder = { name: 'quota', provider: 'openai', config: spec, may_be_default: false };
  expect((await config.register('embedders', embedder)).body).toMatchObject({ status: 'ready' });
  const client = await open('quota');
  await choose(client, { embedder: 'quota' });
  models.fail({
    ...{ path: 'embeddings', text: 'model-quota', times: 1_000 },
    ...{ status: 429, headers: { 'retry-after': '300' } },
  });
  const asked = models.calls('embeddings').filter(isOfQuota).length;
  await client.add(['the okapi sleeps']);
  const isDegraded = async (): Promise<boolean> => {
    const found = await client.post('/memories/search', { query: 'okapi', types: ['episodic'] });
    return found.headers.get('x-degraded') !== null;
  };
  await eventually(() => models.calls('embeddings').filter(isOfQuota).length > asked, {
    what: 'it is asked, and refuses',
  });
  expect(await isDegraded()).toBe(true);
  models.reset();
  expect(await isDegraded()).toBe(true);
  const retried = await config.retry('embedders', 'quota');
  expect(retried).toMatchObject({ status: 200, body: { status: 'ready' } });
  await eventually(() => isReadyBy(client, 'quota'), { what: 'the worker asks it' });
  await eventually(async () => !(await isDegraded()), { what: 'searches ask it' });
});

const isOfQuota = ({ body }: { readonly body: unknown }): boolean =>
  JSON.stringify(body).includes('model-quota');
