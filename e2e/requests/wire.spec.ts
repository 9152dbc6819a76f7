import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { Client, type Json, type WireEpisode } from '../harness/client.js';
import { product } from './product.js';

let loci: Loci;
let projects = 0;

beforeAll(async () => {
  loci = await product();
});

/** A client of a project that was not used before. */
const freshClient = (): Client =>
  new Client(loci.url, { org_id: 'acme-wire', project_id: `wire-${(projects += 1)}` });

const hosted = (token: string): Client =>
  new Client(
    loci.url,
    { org_id: 'victim', project_id: 'secrets' },
    { prefix: '/v2', headers: { authorization: `Bearer ${token}` } },
  );

const HOSTED_PATHS = [
  '/memories',
  '/memories/search',
  '/memories/list',
  '/memories/episodic/delete',
  '/projects',
  '/projects/get',
  '/projects/list',
  '/projects/delete',
  '/projects/episode_count/get',
];

/** Vectors come, and other services hear of a new reranker, a moment after the answer. */
const everyPartAnswers = (client: Client, asked: object): Promise<unknown> =>
  eventually(async () => (await client.post('/memories/search', asked)).headers.get('x-degraded') === null, {
    what: 'a search says that nothing is missing',
  });

const contents = (episodes: readonly WireEpisode[]): string[] => episodes.map(({ content }) => content);

test('a language that the embedder was not trained on is told at the first message, by a search and by the index', async () => {
  const client = freshClient();
  const told = async (path: string, body: object): Promise<string | null> =>
    (await client.post(path, body)).headers.get('x-unsupported-language');
  const ofMessages = (...contents: string[]): Promise<string | null> =>
    told('/memories', { messages: contents.map((content) => ({ content })) });
  expect(await ofMessages('I have lived in Berlin for three years now')).toBeNull();
  expect(await ofMessages('Thank you!', 'Seit März wohne ich in einer kleinen Wohnung am Fluss')).toBe('de');
  expect(await told('/memories/search', { query: 'Wo wohne ich seit diesem Frühling?' })).toBe('de');
  expect(await told('/memories/search', { query: 'Where do I live since this spring?' })).toBeNull();
  const { org_id, project_id } = client.project;
  const index = await fetch(
    `${loci.url}/api/v2/projects/index?${new URLSearchParams({ org_id, project_id }).toString()}`,
  );
  expect(await index.json()).toMatchObject({ embedder: 'local', unsupported_languages: ['de'] });
});

test('409: a name that looks like another one is given to no project and no organization', async () => {
  const org_id = `acorn-${randomUUID()}`;
  const page = new Client(loci.url, { org_id, project_id: 'page' });
  await page.add(['of the page']);
  const alike = [
    { org_id, project_id: 'p\u0430ge' },
    { org_id, project_id: 'ｐａｇｅ' },
    { org_id, project_id: 'page\u3164' },
    { org_id: org_id.replace('a', '\u0430'), project_id: 'page' },
  ];
  for (const project of alike) {
    const client = new Client(loci.url, project);
    const messages = [{ content: 'of another page' }];
    for (const [path, body] of [
      ['/projects', {}],
      ['/memories', { messages }],
    ] as const) {
      const { status, body: refusal } = await client.post(path, body);
      expect({ status, code: refusal['code'] }).toEqual({ status: 409, code: 'name_confusable' });
    }
  }
  await page.add(['of the page, too']);
  expect(await page.count()).toBe(2);
});

describe('without authentication, from a web page', () => {
  const statusFor = async (headers: Readonly<Record<string, string>>, path = '/api/v2/projects/list') => {
    const sent = httpRequest(`${loci.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end('{}');
    const [response] = await answer;
    response.resume();
    return { status: response.statusCode, readableBy: response.headers['access-control-allow-origin'] };
  };

  test.each(['rebound.example', 'localhost.rebound.example', '127.0.0.1.nip.io', '0.0.0.0'])(
    'nothing is served under the name %s, which may lead here',
    async (host) => {
      for (const path of ['/api/v2/projects/list', '/mcp', '/v2/memories/list'])
        expect(await statusFor({ host }, path)).toEqual({ status: 421, readableBy: undefined });
    },
  );

  test.each(['https://evil.example', 'null'])('nothing is done for a page of %s', async (origin) => {
    for (const path of ['/api/v2/projects/list', '/mcp'])
      expect(await statusFor({ host: 'localhost', origin }, path)).toEqual({
        status: 403,
        readableBy: undefined,
      });
  });

  test('names of this machine are served', async () => {
    for (const host of ['localhost', 'localhost:1234', '127.0.0.1', '[::1]'])
      expect((await statusFor({ host })).status).toBe(200);
  });
});

describe('the hosted prefix', () => {
  test.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer nobody' }],
    ['a token in another scheme', { authorization: 'Basic org-token-0123456789abcdef' }],
  ])('%s: 401 on every operation, with the scheme that is asked for', async (_, headers) => {
    const client = new Client(
      loci.url,
      { org_id: 'globex', project_id: 'apollo' },
      { prefix: '/v2', headers },
    );
    for (const path of HOSTED_PATHS) {
      const answer = await client.post(path, { query: 'x' });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('organization and project come from the token, whatever the body says', async () => {
    await hosted('project-token-0123456789abcdef').add(['of apollo']);
    await hosted('org-token-0123456789abcdef').add(['of secrets']);
    const apollo = new Client(loci.url, { org_id: 'globex', project_id: 'apollo' });
    const secrets = new Client(loci.url, { org_id: 'globex', project_id: 'secrets' });
    const victim = new Client(loci.url, { org_id: 'victim', project_id: 'secrets' });
    expect(contents(await apollo.list())).toEqual(['of apollo']);
    expect(contents(await secrets.list())).toEqual(['of secrets']);
    expect(contents(await victim.list())).toEqual([]);
    expect(contents((await hosted('project-token-0123456789abcdef').search('of')).shortTerm)).toEqual([
      'of apollo',
    ]);
    expect(await hosted('project-token-0123456789abcdef').count()).toBe(1);
  });

  test('a list shows episodes only unless asked otherwise; the other prefix shows both kinds', async () => {
    const kinds = async (client: Client, options: object): Promise<string[]> =>
      Object.keys((await client.expect(200, '/memories/list', options))['content'] as Json).sort();
    const [free, bound] = [freshClient(), hosted('project-token-0123456789abcdef')];
    expect(await kinds(bound, {})).toEqual(['episodic_memory']);
    expect(await kinds(bound, { type: null })).toEqual(['episodic_memory']);
    expect(await kinds(bound, { type: 'semantic' })).toEqual(['semantic_memory']);
    expect(await kinds(free, {})).toEqual(['episodic_memory', 'semantic_memory']);
    expect(await kinds(free, { type: null })).toEqual(['episodic_memory', 'semantic_memory']);
    expect(await kinds(free, { type: 'episodic' })).toEqual(['episodic_memory']);
  });

  test('projects are those of the organization', async () => {
    await freshClient().expect(201, '/projects', {});
    const org = hosted('org-token-0123456789abcdef');
    await org.add(['mine']);
    const listed = (await org.expect(200, '/projects/list', {})) as unknown as Json[];
    expect(listed).toContainEqual({ org_id: 'globex', project_id: 'secrets' });
    expect(new Set(listed.map(({ org_id }) => org_id))).toEqual(new Set(['globex']));
    expect(await org.post('/projects', {})).toMatchObject({ status: 409, body: { code: 'project_exists' } });
    const wanted = { org_id: 'globex', project_id: null, name: 'x', scopes: ['admin'] };
    const { secret } = await freshClient().expect(201, '/keys', wanted);
    const mine = { org_id: 'globex' };
    expect((await org.post('/projects/delete', mine)).status).toBe(403);
    await hosted(String(secret)).expect(404, '/projects/delete', {});
    await hosted(String(secret)).expect(204, '/projects/delete', mine);
    await org.expect(404, '/projects/get', {});
  });

  test('an id of another tenant is not found and not deleted', async () => {
    const mine = freshClient();
    const [uid] = await mine.add(['not yours']);
    const answer = await hosted('project-token-0123456789abcdef').post('/memories/episodic/delete', {
      org_id: undefined,
      project_id: undefined,
      episodic_id: uid,
    });
    expect(answer).toMatchObject({ status: 404, body: { not_found: [uid], deleted: [] } });
    expect(await mine.count()).toBe(1);
  });
});

describe('projects', () => {
  test('create, get, list and count answer with what is known of the project', async () => {
    const client = freshClient();
    expect(await client.post('/projects/get', {})).toMatchObject({
      status: 404,
      body: { code: 'project_not_found' },
    });
    expect(await client.count()).toBe(0);
    const created = await client.expect(201, '/projects', { description: 'notes' });
    expect(created).toEqual({ ...client.project, description: 'notes', config: expect.any(Object) });
    expect(await client.expect(200, '/projects/get', {})).toEqual(created);
    expect(await client.expect(200, '/projects/list', {})).toContainEqual(client.project);
    await client.add(['one', 'two']);
    expect(await client.count()).toBe(2);
    expect((await client.post('/projects', {})).status).toBe(409);
  });

  test('deleting answers 204 until it is done, then 404; a reader finds nothing from the first on', async () => {
    const client = freshClient();
    await client.add(['to go']);
    await client.expect(204, '/projects/delete', {});
    await client.expect(404, '/projects/get', {});
    expect(await client.expect(200, '/projects/list', {})).not.toContainEqual(client.project);
    expect([204, 404]).toContain((await client.post('/projects/delete', {})).status);
  });

  test('adding makes the project; searching and listing do not', async () => {
    const client = freshClient();
    expect(await client.search('x')).toEqual({ longTerm: [], shortTerm: [] });
    expect(await client.list()).toEqual([]);
    await client.expect(404, '/projects/get', {});
    await client.add(['x']);
    expect(await client.expect(200, '/projects/get', {})).toMatchObject({
      ...client.project,
      description: '',
    });
  });
});

describe('list', () => {
  test('pages without gaps and repeats, in the order of time, then of uid', async () => {
    const client = freshClient();
    const at = (second: number): object => ({ timestamp: `2024-05-01T10:00:0${second}Z` });
    await client.add(['c1', 'c2', 'c3'], at(3));
    await client.add(['a1', 'a2'], at(1));
    await client.add(['b1', 'b2'], at(2));
    const all = await client.list();
    expect(contents(all)).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'c3']);
    const keys = all.map(({ created_at, uid }) => `${created_at} ${uid}`);
    expect(keys).toEqual([...keys].sort());
    const pages = await Promise.all([0, 1, 2, 3].map((page_num) => client.list({ page_size: 3, page_num })));
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1, 0]);
    expect(pages.flat()).toEqual(all);
    expect(await client.list({ page_size: 0 })).toEqual([]);
  });

  test('the total counts the matches of all pages', async () => {
    const client = freshClient();
    await client.add(['a', 'b', 'c'], { metadata: { kind: 'note' } });
    await client.add(['d']);
    const total = async (options: object): Promise<string | null> =>
      (await client.post('/memories/list', options)).headers.get('x-total-count');
    expect(await total({})).toBe('4');
    expect(await total({ page_size: 1, page_num: 9 })).toBe('4');
    expect(await total({ page_size: 0 })).toBe('4');
    expect(await total({ filter: "m.kind = 'note'", page_size: 2 })).toBe('3');
    expect(await total({ type: 'semantic' })).toBe('0');
  });

  test('an episode has all of its fields; empty metadata is left out', async () => {
    const client = freshClient();
    const given = { producer: 'ada', role: 'user', produced_for: 'bob', timestamp: 0 };
    const [first] = await client.add(['x'], { ...given, metadata: { Schlüssel: 'Wert' } });
    const [second] = await client.add(['y'], { timestamp: 1 });
    expect(await client.list()).toEqual([
      {
        uid: first,
        content: 'x',
        session_key: `acme-wire/${client.project.project_id}`,
        created_at: '1970-01-01T00:00:00+00:00',
        producer_id: 'ada',
        producer_role: 'user',
        produced_for_id: 'bob',
        sequence_num: 0,
        episode_type: 'message',
        content_type: 'string',
        metadata: { Schlüssel: 'Wert' },
      },
      expect.objectContaining({ uid: second, producer_id: 'user', producer_role: '', produced_for_id: '' }),
    ]);
    expect((await client.list())[1]).not.toHaveProperty('metadata');
  });
});

describe('what a request leaves out', () => {
  /** Of the project that requests are about which name none. */
  const universal = (): Client => new Client(loci.url, { org_id: 'universal', project_id: 'universal' });

  const nameless = async (path: string, body: object): Promise<Json> =>
    freshClient().expect(200, path, { org_id: undefined, project_id: undefined, ...body });

  test('memories without a project are those of the project universal of universal', async () => {
    await nameless('/memories', { messages: [{ content: 'said by nobody in particular' }] });
    expect(contents(await universal().list())).toEqual(['said by nobody in particular']);
    const { content } = await nameless('/memories/list', { type: 'episodic' });
    expect((content as { episodic_memory: unknown[] }).episodic_memory).toHaveLength(1);
    expect(await nameless('/memories/semantic/set_id/get', { metadata_tags: [] })).toEqual({
      set_id: 'mem_project_set_org_universal_project_universal_0_46b9dd2b0ba8__',
    });
    expect(await nameless('/memory/episodic/short_term/config/get', {})).toEqual({ enabled: true });
  });

  test('a project has to be named where it is made, shown, counted or deleted', async () => {
    for (const path of ['/projects', '/projects/get', '/projects/episode_count/get', '/projects/delete']) {
      const answer = await freshClient().post(path, { org_id: undefined, project_id: undefined });
      expect(answer.status).toBe(422);
      const { detail } = answer.body as { detail: { loc: string[] }[] };
      expect(detail.map(({ loc }) => loc)).toEqual([
        ['body', 'org_id'],
        ['body', 'project_id'],
      ]);
    }
  });

  test('a page has 100, of the first ones; a search has 10 of each kind', async () => {
    const client = freshClient();
    await client.add(
      Array.from({ length: 101 }, (_, n) => `fox ${String(n).padStart(3, '0')}`),
      {
        timestamp: 0,
      },
    );
    expect(await client.list()).toEqual(await client.list({ page_size: 100, page_num: 0 }));
    expect(await client.list()).toHaveLength(100);
    expect((await client.search('fox')).shortTerm).toHaveLength(10);
    await client.disableShortTerm();
    expect((await client.search('fox')).longTerm).toHaveLength(10);
  });

  test('by default a message is said by user, now, without recipient, role and metadata, for both kinds of memory', async () => {
    const client = freshClient();
    await client.add(['x']);
    const [listed] = await client.list();
    expect(listed).toMatchObject({ producer_id: 'user', producer_role: '', produced_for_id: '' });
    expect(listed).not.toHaveProperty('metadata');
    expect((await client.search('x')).shortTerm).toHaveLength(1);
    const waitsForSemantic = async (): Promise<boolean> => {
      const { body } = await client.ask('GET', '/ingestion/backlog');
      return (body as unknown as Json[]).some(({ is_org_level }) => is_org_level === false);
    };
    await eventually(waitsForSemantic, { what: 'it waits to become semantic memory' });
  });
});

describe('delete', () => {
  test('takes one id, several, or both; an id that is named twice counts once', async () => {
    const client = freshClient();
    const [one, two, three, four] = await client.add(['1', '2', '3', '4']);
    await client.expect(204, '/memories/episodic/delete', { episodic_id: one, episodic_ids: [] });
    await client.expect(204, '/memories/episodic/delete', { episodic_id: two, episodic_ids: [two, three] });
    expect(contents(await client.list())).toEqual(['4']);
    const again = await client.post('/memories/episodic/delete', { episodic_ids: [four, one, four, one] });
    expect(again).toMatchObject({ status: 404, body: { deleted: [four], not_found: [one] } });
  });
});

describe('add', () => {
  test('answers in the order of the request, whatever the times say', async () => {
    const client = freshClient();
    const messages = [3, 1, 2].map((n) => ({ content: `said at ${n}`, timestamp: n }));
    const { results } = await client.expect(200, '/memories', { messages });
    const byUid = new Map((await client.list()).map(({ uid, content }) => [uid, content]));
    expect((results as { uid: string }[]).map(({ uid }) => byUid.get(uid))).toEqual(
      messages.map(({ content }) => content),
    );
  });

  test('all or nothing: one bad message and none is stored', async () => {
    const client = freshClient();
    await client.expect(422, '/memories', { messages: [{ content: 'good' }, { content: 5 }] });
    expect(await client.count()).toBe(0);
  });

  test.each([
    ['Unix seconds', 1_714_557_600, '2024-05-01T10:00:00+00:00'],
    ['Unix milliseconds', 1_714_557_600_123, '2024-05-01T10:00:00.123000+00:00'],
    ['an offset', '2024-05-01T10:00:00-04:00', '2024-05-01T14:00:00+00:00'],
    ['microseconds', '2024-05-01T10:00:00.123456+00:00', '2024-05-01T10:00:00.123456+00:00'],
    ['no offset, which is UTC', '2024-05-01T10:00:00', '2024-05-01T10:00:00+00:00'],
    ['a date alone', '2024-05-01', '2024-05-01T00:00:00+00:00'],
    ['before 1970', '1815-12-10T00:00:00Z', '1815-12-10T00:00:00+00:00'],
  ])('a time as %s comes back as the same instant', async (_, timestamp, expected) => {
    const client = freshClient();
    await client.add(['x'], { timestamp });
    expect((await client.list())[0]?.created_at).toBe(expected);
    expect((await client.search('x')).shortTerm[0]?.created_at).toBe(expected);
  });

  test.each([
    ['no time', {}],
    ['null', { timestamp: null }],
  ])('%s means now', async (_, message) => {
    const client = freshClient();
    const before = Date.now();
    await client.add(['x'], message);
    const said = Date.parse((await client.list())[0]?.created_at ?? '');
    expect(said).toBeGreaterThanOrEqual(before - 1_000);
    expect(said).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test('texts come back as they were, to the last code point', async () => {
    const client = freshClient();
    const texts = [
      '',
      ' ',
      'שלום',
      '日本語 🙂‍↔️',
      'e\u0301 é',
      '\u202eabc',
      '"\\/\b\f\n\r\t',
      '<b>&amp;</b>',
      "'; --",
    ];
    await client.add(texts);
    expect(contents(await client.list())).toEqual(texts);
  });
});

interface ExplainedHit {
  readonly uid: string;
  readonly score: number;
  readonly explanation: {
    readonly sum: number;
    readonly parts: readonly { name: string; contribution: number; raw?: number; rank?: number }[];
    readonly reranker?: { rank: number; weight: number; opinion: number; score_before: number };
  };
}

const SCORE_PARTS = [
  ...['meaning', 'words', 'neighbours', 'second_neighbours', 'session'],
  ...['participant', 'time', 'first_person', 'recency', 'state', 'change', 'question', 'statement', 'exact'],
];

describe('search', () => {
  test('has every part of its shape, and no nulls', async () => {
    const client = freshClient();
    await client.add(['Tea is served at four.'], { producer: 'ada', metadata: { room: 'blue' } });
    const answer = await client.expect(200, '/memories/search', { query: 'tea' });
    expect(JSON.stringify(answer)).not.toContain('null');
    expect(answer).toEqual({
      status: 0,
      content: {
        episodic_memory: {
          long_term_memory: { episodes: [] },
          short_term_memory: { episodes: [expect.any(Object)], episode_summary: [''] },
        },
        semantic_memory: [],
      },
    });
    const { shortTerm } = await client.search('tea');
    expect(Object.keys(shortTerm[0] ?? {}).sort()).toEqual(EPISODE_FIELDS);
    await client.disableShortTerm();
    const { longTerm } = await client.search('tea');
    expect(Object.keys(longTerm[0] ?? {}).sort()).toEqual([...EPISODE_FIELDS, 'score'].sort());
    expect(longTerm[0]?.score).toBeGreaterThan(0);
  });

  test('a kind that was not asked for is absent', async () => {
    const client = freshClient();
    await client.add(['x']);
    const kinds = async (types: string[]): Promise<string[]> =>
      Object.keys((await client.expect(200, '/memories/search', { query: 'x', types }))['content'] as Json);
    expect(await kinds([])).toEqual(['episodic_memory', 'semantic_memory']);
    expect(await kinds(['episodic'])).toEqual(['episodic_memory']);
    expect(await kinds(['semantic'])).toEqual(['semantic_memory']);
  });

  test('long-term hits come best first; top_k and score_threshold cut them', async () => {
    const client = freshClient();
    await client.add(['A red fox.', 'A blue whale.', 'The red fox sleeps.', 'Nothing of the kind.']);
    await client.disableShortTerm();
    const { longTerm } = await client.search('red fox');
    const scores = longTerm.map(({ score = Number.NaN }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const uidsOf = (hits: readonly WireEpisode[]): string[] => hits.map(({ uid }) => uid);
    // uids, not scores: how rare a word is changes while other projects are indexed
    expect(uidsOf((await client.search('red fox', { top_k: 2 })).longTerm)).toEqual(
      uidsOf(longTerm.slice(0, 2)),
    );
    const [, second = 0, third = 0] = scores;
    const above = await client.search('red fox', { score_threshold: (second + third) / 2 });
    expect(uidsOf(above.longTerm)).toEqual(uidsOf(longTerm.slice(0, 2)));
  });

  test('explain says what each score is the sum of, and which candidates were cut and why', async () => {
    const client = freshClient();
    const uids = await client.add(['A red fox.', 'A blue whale.', 'The red fox sleeps.'], {
      producer: 'ada',
    });
    await client.disableShortTerm();
    const plain = await client.expect(200, '/memories/search', { query: 'Did ada see a red fox?' });
    expect(JSON.stringify(plain)).not.toContain('explanation');
    const explained = await client.expect(200, '/memories/search', {
      query: 'Did ada see a red fox?',
      types: ['episodic'],
      top_k: 1,
      explain: true,
    });
    const { long_term_memory: found } = (explained['content'] as { episodic_memory: Json })
      .episodic_memory as {
      long_term_memory: { episodes: ExplainedHit[]; cut: { uid: string; reason: string }[] };
    };
    const [best] = found.episodes;
    const parts = best?.explanation.parts ?? [];
    expect(parts.map(({ name }) => name)).toEqual(SCORE_PARTS);
    expect(parts[0]).toMatchObject({ name: 'meaning', raw: expect.any(Number), rank: expect.any(Number) });
    expect(parts.find(({ name }) => name === 'participant')?.contribution).toBeGreaterThan(0);
    const sum = parts.reduce((total, { contribution }) => total + contribution, 0);
    expect(sum).toBeCloseTo(best?.explanation.sum ?? Number.NaN);
    expect(found.cut.map(({ reason }) => reason)).toEqual(['top_k', 'top_k']);
    expect([best?.uid, ...found.cut.map(({ uid }) => uid)].sort()).toEqual([...uids].sort());
  });

  test('explain says what a reranker made of each score, which is the score that counts', async () => {
    const client = freshClient();
    await client.expect(201, '/config/resources/rerankers', {
      name: 'by words',
      provider: 'bm25',
      config: {},
      may_be_default: false,
    });
    await client.expect(201, '/projects', { config: { reranker: 'by words' } });
    await client.add(['A red fox.', 'A blue whale.', 'The red fox sleeps.', 'Snow.'], { producer: 'ada' });
    const asked = {
      query: 'Where does the red fox sleep?',
      types: ['episodic'],
      top_k: 2,
      explain: true,
      rank_short_term: true,
    };
    await everyPartAnswers(client, asked);
    const answer = (await client.expect(200, '/memories/search', asked)) as {
      content: {
        episodic_memory: {
          long_term_memory: { episodes: ExplainedHit[]; cut: Pick<ExplainedHit, 'score'>[] };
        };
      };
    };
    const { episodes, cut } = answer.content.episodic_memory.long_term_memory;
    for (const { score, explanation } of episodes) {
      const { weight = 0, opinion = 0, score_before: before = 0 } = explanation.reranker ?? {};
      expect(score).toBeCloseTo((1 - weight) * before + weight * opinion, 10);
    }
    expect(episodes.map(({ explanation }) => explanation.reranker?.rank)).toEqual([1, 2]);
    expect(episodes[0]?.explanation.reranker).toMatchObject({ opinion: 1, weight: 0.1 });
    const scores = [...episodes, ...cut].map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('explain says what the score of each feature is the sum of, and nothing unless it is asked', async () => {
    const client = freshClient();
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    for (const value of ['a window seat', 'a vegetarian meal']) {
      const feature = { category_name: 'profile', tag: 'travel', feature: value, value };
      await client.expect(201, '/memories/semantic/feature', { set_id, ...feature });
    }
    const asked = { query: 'Which seat?', types: ['semantic'] };
    const plain = await client.expect(200, '/memories/search', asked);
    expect(JSON.stringify(plain)).not.toContain('explanation');
    const explained = await client.expect(200, '/memories/search', { ...asked, explain: true });
    const { semantic_memory: found } = explained['content'] as { semantic_memory: ExplainedHit[] };
    expect(found).toHaveLength(2);
    for (const { score, explanation } of found) {
      const { parts, sum } = explanation;
      expect(parts.map(({ name }) => name)).toEqual(['meaning', 'words']);
      expect(parts.reduce((total, { contribution }) => total + contribution, 0)).toBeCloseTo(sum, 10);
      // as docs/search.md has it
      expect(score).toBeCloseTo(1 / (1 + Math.exp((0.36 - sum) / 0.1)), 10);
    }
    const [meaning, words] = found[0]?.explanation.parts ?? [];
    expect(meaning).toMatchObject({ weight: 0.7, rank: 1 });
    expect(words?.contribution).toBeGreaterThan(0);
  });

  test('of two statements about the same thing the one that is asked for comes first', async () => {
    const client = freshClient();
    const say = (content: string, timestamp: string): Promise<string[]> =>
      client.add([content], { producer: 'ada', timestamp });
    const [older] = await say('I live in Lisbon, in a small flat near the river.', '2024-01-03T10:00:00Z');
    const [newer] = await say('We settled in Porto, the flat is larger.', '2024-05-03T10:00:00Z');
    await say('The lift is broken again.', '2024-06-03T10:00:00Z');
    await client.disableShortTerm();
    const first = async (query: string): Promise<ExplainedHit | undefined> => {
      const asked = { query, types: ['episodic'], explain: true };
      const answer = (await client.expect(200, '/memories/search', asked)) as {
        content: { episodic_memory: { long_term_memory: { episodes: ExplainedHit[] } } };
      };
      return answer.content.episodic_memory.long_term_memory.episodes[0];
    };
    const [now, before] = [await first('Where does Ada live?'), await first('Where did Ada live before?')];
    expect([now?.uid, before?.uid]).toEqual([newer, older]);
    const part = now?.explanation.parts.find(({ name }) => name === 'statement');
    expect(part?.contribution).toBeGreaterThan(0);
  });

  test('the own text of a message leads to it first, among hundreds of the same words in another order', async () => {
    const client = freshClient();
    const texts = Array.from({ length: 20 }, (_, batch) =>
      Array.from({ length: 12 }, (_, n) => `writer${n % 4} says sentence ${n} of batch ${batch}`),
    );
    for (const batch of texts) await client.add(batch, { producer: 'writer' });
    await client.disableShortTerm();
    const firsts: unknown[] = [];
    // not all at once: a busy machine may be told to send them again later
    for (const [, text = ''] of texts) {
      const { longTerm } = await client.search(text, { top_k: 5 });
      firsts.push(longTerm[0]?.content);
    }
    expect(firsts).toEqual(texts.map(([, text]) => text));
  });

  test('what is said right after the answer does not come before it', async () => {
    const client = freshClient();
    const uids = await client.add(['Ada prefers window seats on long flights.', 'The plumber is paid.'], {
      producer: 'ada',
    });
    await client.disableShortTerm();
    const { longTerm } = await client.search('Which seats does Ada prefer on flights?');
    expect(longTerm[0]?.uid).toBe(uids[0]);
  });

  describe('the score of a hit', () => {
    const asked = { query: 'Where is the attic?', types: ['episodic'] };
    const key = 'The key of the attic is blue.';

    const scoreOfKey = async (client: Client, options: object = {}): Promise<number> => {
      const { longTerm } = await client.search(asked.query, options);
      return longTerm.find(({ content }) => content === key)?.score ?? Number.NaN;
    };

    test('is the same in every list that it is in', async () => {
      const client = freshClient();
      await client.add([key], { timestamp: '2024-05-01T10:00:00Z', metadata: { of: 'key' } });
      await client.add(['The attic is up the stairs.', 'The attic, where else?'], {
        timestamp: '2024-05-03T10:00:00Z',
      });
      await client.disableShortTerm();
      await everyPartAnswers(client, asked);
      const among = (options: object): Promise<number> => scoreOfKey(client, options);
      const score = await among({});
      expect(score).toBeGreaterThan(0);
      expect(await among({ top_k: 3 })).toBe(score);
      expect(await among({ top_k: 50 })).toBe(score);
      expect(await among({ filter: "metadata.of='key'" })).toBe(score);
    });

    test('hardly moves when a few more messages with its words come', async () => {
      const client = freshClient();
      await client.add([key], { timestamp: '2024-05-01T10:00:00Z' });
      await client.add(
        Array.from({ length: 40 }, (_, n) => `Box ${n} stands in the ${n < 12 ? 'attic' : 'cellar'}.`),
        { timestamp: '2024-05-02T10:00:00Z' },
      );
      await client.disableShortTerm();
      await everyPartAnswers(client, asked);
      const before = await scoreOfKey(client, { top_k: 50 });
      await client.add(['The attic is up the stairs.', 'The attic, where else?'], {
        timestamp: '2024-05-03T10:00:00Z',
      });
      await everyPartAnswers(client, asked);
      expect(Math.abs((await scoreOfKey(client, { top_k: 50 })) - before)).toBeLessThan(0.05);
    });
  });

  test('short-term shows the newest top_k, oldest first, however bad their match', async () => {
    const client = freshClient();
    await client.add(['one', 'two', 'three', 'four']);
    const { shortTerm, longTerm } = await client.search('one', { top_k: 2, score_threshold: 1e9 });
    expect(contents(shortTerm)).toEqual(['three', 'four']);
    expect(longTerm).toEqual([]);
  });

  test('what was added for semantic memory alone is listed and counted, but not found', async () => {
    const client = freshClient();
    await client.expect(200, '/memories', { types: ['semantic'], messages: [{ content: 'zeppelin' }] });
    expect(contents(await client.list())).toEqual(['zeppelin']);
    expect(await client.count()).toBe(1);
    expect(await client.search('zeppelin')).toEqual({ longTerm: [], shortTerm: [] });
  });
});

describe('operation', () => {
  test.each(['/health', '/api/v2/health', '/v2/health'])('%s: healthy, without a token', async (path) => {
    const answer = await fetch(`${loci.url}${path}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      status: 'healthy',
      service: 'loci',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test('/health/live and /health/ready speak of the gateway alone', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect((await fetch(`${loci.url}${path}`)).status).toBe(200);
    }
  });

  test.each(['/metrics', '/api/v2/metrics', '/v2/metrics'])('%s counts requests by route', async (path) => {
    await freshClient().count();
    const text = await (await fetch(`${loci.url}${path}`)).text();
    expect(text).toMatch(
      /^http_requests_total\{method="POST",path="\/api\/v2\/projects\/episode_count\/get",status="200",.*\} [1-9]/m,
    );
    expect(text).not.toMatch(/acme|globex|org-token/);
  });

  test.each([
    ['config-service', []],
    ['episodic-api', []],
    ['episodic-worker', ['loci_episodes_waiting', 'loci_episodes_waiting_seconds']],
    ['gateway', ['http_requests_total', 'http_request_duration_seconds']],
  ] as const)('%s has metrics of itself', async (name, families) => {
    const { ports } = await loci.process(name);
    const port = String(ports['http']);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const family of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds', ...families]) {
      expect(text).toContain(`# TYPE ${family} `);
    }
  });
});

const EPISODE_FIELDS = [
  'content',
  'created_at',
  'episode_type',
  'metadata',
  'produced_for_id',
  'producer_id',
  'producer_role',
  'uid',
];
