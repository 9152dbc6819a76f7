import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ServerName } from '@loci/runtime';
import { eventually, FakeModels } from '@loci/testing';
import { connect } from '@nats-io/transport-node';
import { inspect } from 'node:util';
import pg from 'pg';
import { eachOf } from './answers/each-of.js';
import { changed, exchange, exchangeHalf, type Input, namesProject, withFields } from './answers/exchange.js';
import { ownAnswersOf } from './answers/own-answers.js';
import { plainName } from './answers/requests.js';
import { holdKeyed, sendTwice } from './answers/send-twice.js';
import { ofEveryTool, ToolTrial } from './answers/tools.js';
import { type Send, sending, type Subject, tokenFor, Trial } from './answers/trial.js';
import { type Callers, DOOMED, fresh, LIMITS, PROJECT, STATIC, World } from './answers/world.js';
import { ApiDocument, type Field, type WireAnswer } from './harness/api-document.js';
import { Client } from './harness/client.js';
import { withDatabase } from './harness/database.js';
import { destroyOwnServers, type OwnServers, startOwnServers } from './harness/own-server.js';

const SCHEMAS = ['config', 'episodic', 'semantic'];
const SERVICES = ['config-service', 'episodic-api', 'semantic-api'] as const;

/** One for each outage. */
const UNKNOWN_KEYS = 4;

/** How soon a client learns that a server is down, on a busy machine, too: sooner than its time is over. */
const QUICK_MS = 10_000;

let own: OwnServers;
let models: FakeModels;
let world: World;
let document: ApiDocument;
let trial: Trial;
let tools: ToolTrial;
/** What becomes of requests that were begun and never went on. */
let halves: Promise<readonly [Subject, WireAnswer]>[];
/** Keys that the gateway has to ask about, whatever is down by then. */
let unknownKeys: Callers[];

beforeAll(async () => {
  [own, models] = await Promise.all([startOwnServers(), FakeModels.start()]);
  world = await World.begin(own, models);
  document = await ApiDocument.read(world.url);
  trial = await Trial.of(document, world);
  tools = new ToolTrial(document, world.url);
  const callers = await world.callers();
  halves = trial
    .documenting('408 request_timeout')
    .map(async (subject) => [subject, await half(world.strictUrl, subject, callers).answer] as const);
  unknownKeys = await Promise.all(Array.from({ length: UNKNOWN_KEYS }, () => world.callers()));
});

afterAll(async () => {
  await world.end();
  await Promise.all([destroyOwnServers(own), models.close()]);
});

/** Begins a request that never goes on. */
function half(url: string, { operation, input }: Subject, callers: Callers) {
  const headers = { 'content-type': 'application/json', ...input.headers };
  return exchangeHalf(url, operation, { ...input, headers, token: tokenFor(operation, callers) });
}

/** By a caller that has sent nothing yet. */
const freshly = async (change?: (input: Input) => Input, url = world.url): Promise<Send> =>
  sending(url, await world.callers(), change);

/** The names of the fields of bodies that are so, by operation. */
const fieldsThat = (are: (field: Field) => boolean, subjects: readonly Subject[]): Record<string, string[]> =>
  Object.fromEntries(
    subjects.map(({ operation }) => {
      const fields = (document.fieldsOf(operation) ?? []).filter(are);
      return [operation.operationId, fields.map(({ name }) => name).sort()];
    }),
  );

const isHosted = ({ operation }: Subject): boolean => operation.path.startsWith('/v2/');

describe('while all is well', () => {
  test('servers are known by their authority alone, and the product knows it', async () => {
    const { host, username: user, password: pass } = new URL(own.nats.servers.natsUrl);
    const database = new URL(own.postgres.servers.databaseUrl);
    database.searchParams.delete('sslrootcert');
    const attempts = {
      nats: () => connect({ servers: host, user, pass, reconnect: false }),
      postgres: () => new pg.Client(database.href).connect(),
      qdrant: () => fetch(own.qdrant.servers.qdrantUrl),
    };
    for (const attempt of Object.values(attempts)) {
      await expect(attempt().catch((error: unknown) => inspect(error))).resolves.toMatch(
        /self-signed certificate/,
      );
    }
  });

  test('401: no access without a token', async () => {
    const send: Send = ({ operation, input }) =>
      exchange(world.url, operation, { ...input, token: undefined });
    expect(await trial.provoke('401 unauthenticated', trial.guarded, send)).toEqual([]);
  });

  test('403: no caller may do more than its key allows', async () => {
    const keyed = async (scope: 'read' | 'write'): Promise<Callers> => ({
      admin: (await world.key([scope])).secret,
      hosted: (await world.key([scope], { org_id: PROJECT.org_id })).secret,
      hostedAdmin: (await world.key([scope], { org_id: PROJECT.org_id })).secret,
    });
    const [readers, writers] = [await keyed('read'), await keyed('write')];
    const send: Send = async (subject) => {
      const answer = await sending(world.url, readers)(subject);
      return answer.status === 403 ? answer : sending(world.url, writers)(subject);
    };
    expect(await trial.provoke('403 forbidden', trial.guarded, send)).toEqual([]);
    expect(await tools.failures(readers.admin)).toEqual({
      add_memory: '403 forbidden',
      correct_memory: '403 forbidden',
      delete_memory: '403 forbidden',
      settle_conflict: '403 forbidden',
    });
  });

  test('403: a key that speaks for one producer says nothing as another', async () => {
    const name = '403 producer_not_allowed';
    const bound = async (bounds: { org_id?: string } = {}): Promise<string> =>
      (await world.key(['admin'], bounds, 'bound')).secret;
    const hosted = await bound({ org_id: PROJECT.org_id });
    const callers = { admin: await bound(), hosted, hostedAdmin: hosted };
    const message = { content: 'x', producer: 'another' };
    const line = JSON.stringify({ kind: 'episode', uid: 'u', content: 'x', producer_id: 'another' });
    const asAnother = sending(world.url, callers, (input) =>
      typeof input.body === 'string'
        ? { ...input, body: line }
        : withFields(input, { project_id: PROJECT.project_id, producer: 'another', messages: [message] }),
    );
    const asItIs = sending(world.url, callers);
    // quotas are the only fields of their request
    const send: Send = (subject) =>
      plainName(subject.operation) === 'set_quotas' ? asItIs(subject) : asAnother(subject);
    // the project does not trust this producer, whose key therefore changes nothing by hand
    await world.trust(['user']);
    expect(await trial.provoke(name, trial.documenting(name), send)).toEqual([]);
    await world.trust(['*']);
    expect(await tools.failures(callers.admin, { user_id: 'another' })).toMatchObject({ add_memory: name });
  });

  test('404: the project of another tenant is not there', async () => {
    const { secret: admin } = await world.key(['admin'], { org_id: 'elsewhere' });
    const subjects = trial.guarded.filter((subject) => !isHosted(subject));
    const send = sending(world.url, { admin, hosted: '', hostedAdmin: '' });
    expect(await trial.provoke('404 project_not_found', subjects, send)).toEqual([]);
    expect(await tools.failures(admin)).toEqual(ofEveryTool('404 project_not_found'));
  });

  test('404: no write makes a missing project, where the deployment says so', async () => {
    // what deletes or replaces something is refused for naming another organization, elsewhere it is overruled
    const send = await freshly((input) => withFields(input, { org_id: 'elsewhere', project_id: fresh() }));
    const subjects = trial.guarded.filter(isHosted).filter(({ input }) => namesProject(input));
    expect(await trial.provoke('404 project_not_found', subjects, send)).toEqual([]);
  });

  test('409: a project that is being deleted takes nothing', async () => {
    const send = await freshly((input) => withFields(input, DOOMED));
    const subjects = trial.guarded.filter(({ input }) => namesProject(input));
    expect(await trial.provoke('409 project_being_deleted', subjects, send)).toEqual([]);
    expect(await tools.failures(STATIC.admin, { proj_id: DOOMED.project_id })).toEqual({
      add_memory: '409 project_being_deleted',
      correct_memory: '404 feature_not_found',
      delete_memory: '404 project_not_found',
      settle_conflict: '404 feature_not_found',
    });
  });

  test('200, 204, 404, 409: until it is erased, its name is taken, and nothing else is left of it', async () => {
    const headers = { authorization: `Bearer ${STATIC.admin}` };
    const doomed = new Client(world.url, DOOMED, { headers });
    await doomed.expect(404, '/projects/get', {});
    await doomed.expect(204, '/projects/delete', {});
    expect(await doomed.post('/projects', {})).toMatchObject({
      status: 409,
      body: { code: 'project_being_deleted' },
    });
    expect(await doomed.count()).toBe(0);
    expect(await doomed.list()).toEqual([]);
    expect(await doomed.search('x')).toEqual({ longTerm: [], shortTerm: [] });
    expect(await doomed.expect(200, '/projects/list', {})).not.toContainEqual(DOOMED);
  });

  test('404, 422: a tool of MCP is told what is wrong with its arguments', async () => {
    expect(await tools.failures(STATIC.admin)).toEqual({
      correct_memory: '404 feature_not_found',
      delete_memory: '404 memory_not_found',
      settle_conflict: '404 feature_not_found',
    });
    const known = { semantic_memory_uid: await world.feature() };
    expect(await tools.failures(STATIC.admin, known)).toEqual({
      delete_memory: '404 memory_not_found',
      settle_conflict: '404 conflict_not_found',
    });
    const none = {
      content: 5,
      query: 5,
      value: 5,
      page_size: 'x',
      page: 'x',
      episodic_memory_uids: 5,
      semantic_memory_uid: 5,
    };
    expect(await tools.failures(STATIC.admin, none)).toEqual(ofEveryTool('422 invalid_request'));
  });

  test('413: a body above the limit', async () => {
    const body = 'x'.repeat(LIMITS.bodyBytes + 1);
    const send = await freshly((input) => ({ ...input, body }), world.strictUrl);
    const withBody = trial.documenting('408 request_timeout');
    expect(await trial.provoke('413 body_too_large', withBody, send)).toEqual([]);
  });

  test.each<[name: string, what: string, change: (input: Input) => Input]>([
    [
      '415 unsupported_media_type',
      'a body of another type',
      (input) => ({ ...input, body: 'x', headers: { ...input.headers, 'content-type': 'text/plain' } }),
    ],
    ['422 json_invalid', 'a body that is not JSON', (input) => ({ ...input, body: '{' })],
    ['422 missing_parameter', 'no parameters', (input) => ({ ...input, query: {} })],
    [
      '422 invalid_parameter',
      'a bad id',
      (input) => ({ ...input, query: { ...input.query, org_id: 'a b' } }),
    ],
    [
      '422 invalid_idempotency_key',
      'a key that is too long',
      (input) => ({ ...input, headers: { ...input.headers, 'idempotency-key': 'x'.repeat(256) } }),
    ],
  ])('%s: %s', async (name, _, change) => {
    const send = await freshly(change);
    expect(await trial.provoke(name, trial.documenting(name), send)).toEqual([]);
  });

  /** The fields that have a problem, sorted. */
  const refusedFields = ({ text }: WireAnswer): string[] => {
    const { detail } = JSON.parse(text) as { detail: { loc: string[] }[] };
    return detail.map(({ loc: [, field = ''] }) => field).sort();
  };

  test('422 missing: every field that a body lacks and needs', async () => {
    const subjects = trial.documenting('422 missing');
    const send = await freshly((input) => ({ ...input, body: {} }));
    const refused: Record<string, string[]> = {};
    const noting: Send = async (subject) => {
      const answer = await send(subject);
      refused[subject.operation.operationId] = refusedFields(answer);
      return answer;
    };
    expect(await trial.provoke('422 missing', subjects, noting)).toEqual([]);
    expect(refused).toEqual(fieldsThat(({ isRequired }) => isRequired, subjects));
  });

  test('422: null in every field that does not allow it, and in no other', async () => {
    // that a caller of the hosted form names no project is said before anything else
    const subjects = trial.guarded
      .filter((subject) => !isHosted(subject))
      .filter(({ operation }) => (document.fieldsOf(operation) ?? []).length > 0);
    const callers = await world.callers();
    const refused: Record<string, string[]> = {};
    await eachOf(subjects, async ({ operation, input }) => {
      const nulls = (document.fieldsOf(operation) ?? []).map(({ name }) => [name, null] as const);
      const body = Object.fromEntries(nulls);
      const answer = await sending(world.url, callers)({ operation, input: { ...input, body } });
      refused[operation.operationId] = answer.status === 422 ? refusedFields(answer) : [];
    });
    expect(refused).toEqual(fieldsThat(({ isNullable }) => !isNullable, subjects));
  });

  test('what few operations answer', async () => {
    const callers = await world.callers();
    const rows = trial.subjects.flatMap((subject) =>
      ownAnswersOf(subject.operation).map(([name, change]) => ({ subject, name, change })),
    );
    const mismatches = await eachOf(rows, async ({ subject, name, change }) => {
      const input = await change(subject.input, world);
      return trial.compare(subject, await sending(world.url, callers, () => input)(subject), name);
    });
    expect(mismatches.flat()).toEqual([]);
  });

  test('429: a key that has asked too often is told to wait', async () => {
    const { admin, hostedAdmin } = await world.callers();
    const callers = { admin, hosted: hostedAdmin, hostedAdmin };
    const adds = trial.subjects.filter(({ operation }) => /add_memories$/.test(operation.operationId));
    // refused as soon as they are counted
    const cheap = { body: 'x', headers: { 'content-type': 'text/plain' } };
    const often = Array.from({ length: LIMITS.perMinute }, () => adds).flat();
    await eachOf(
      often,
      sending(world.strictUrl, callers, () => cheap),
    );
    const send = sending(world.strictUrl, callers);
    expect(await trial.provoke('429 rate_limit_exceeded', trial.guarded, send)).toEqual([]);
  });

  test('408: who begins a request and does not go on is answered all the same', async () => {
    const mismatches = (await Promise.all(halves)).map(([subject, answer]) =>
      trial.compare(subject, answer, '408 request_timeout'),
    );
    expect(mismatches.flat()).toEqual([]);
  });

  test('429: a gateway that has too much to do says so', async () => {
    const [first] = trial.documenting('409 idempotency_key_in_flight');
    if (!first) throw new Error('No operation takes an Idempotency-Key.');
    const keyed = { 'idempotency-key': fresh() };
    const headers = { ...first.input.headers, ...keyed };
    const subject = { ...first, input: { ...first.input, headers } };
    const send = await freshly(undefined, world.narrowUrl);
    const inFlight = async (): Promise<boolean> =>
      /^http_requests_in_flight\{.*\} 1$/m.test(await (await fetch(`${world.narrowUrl}/metrics`)).text());
    await withDatabase(own.postgres.servers.databaseUrl, async (database) => {
      await holdKeyed(database);
      const held = send(subject);
      await eventually(inFlight, { what: 'a request is being worked on' });
      expect(await trial.provoke('429 overloaded', trial.guarded, send, trial.guarded.length)).toEqual([]);
      await database.query('COMMIT');
      expect(trial.compare(subject, await held, '200', '201', '204')).toEqual([]);
    });
    await eventually(async () => !(await inFlight()), { what: 'the gateway has time again' });
  });

  test('409: a repetition waits for the first request, and a key is good for one request', async () => {
    const callers = await world.callers();
    const keyed = trial.documenting('409 idempotency_key_in_flight').map(({ operation, input }) => ({
      operation,
      input: { ...input, headers: { ...input.headers, 'idempotency-key': fresh() } },
    }));
    await withDatabase(own.postgres.servers.databaseUrl, async (database) => {
      const send = sending(world.url, callers);
      for (const subject of keyed) {
        const { refused, granted } = await sendTwice(database, subject, send);
        expect(trial.compare(subject, refused, '409 idempotency_key_in_flight')).toEqual([]);
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(trial.compare(subject, granted, '200', '201', '204')).toEqual([]);
      }
    });
    const other = sending(world.url, callers, changed);
    expect(await trial.provoke('409 idempotency_key_reused', keyed, other)).toEqual([]);
  });

  test('200: what is asked rightly is granted', async () => {
    const keyed = new Set(trial.documenting('409 idempotency_key_in_flight'));
    const subjects = trial.subjects.filter((subject) => !keyed.has(subject));
    expect(await trial.provoke('200', subjects, await freshly())).toEqual([]);
  });
});

/** They ask no service but who is there: what MCP does fails in its tools, and statistics are the gateway's own. */
const ASKING_WHO_ALONE = new Set(['mcp', 'get_statistics', 'stream_statistics']);

/**
 * By those whom the gateway knows without asking, but where it asks nothing else: these fail when it does not know who
 * is there. So does the deletion of a project under the hosted prefix: no token of the deployment may.
 */
function whateverIsDown(url = world.url): Send {
  const unknown = unknownKeys.pop() ?? { admin: '', hosted: '', hostedAdmin: '' };
  return (subject) => {
    const callers = ASKING_WHO_ALONE.has(subject.operation.operationId) ? unknown : { ...unknown, ...STATIC };
    return sending(url, callers)(subject);
  };
}

/** Sends as `send` does, and says so when an answer takes its time. */
const quickly =
  (send: Send): Send =>
  async (subject) => {
    const begunAt = performance.now();
    const answer = await send(subject);
    expect(performance.now() - begunAt).toBeLessThan(QUICK_MS);
    return answer;
  };

/** Does something while a server is down, and sees that all is well by itself once it is back. */
async function withoutServer(name: ServerName, work: () => Promise<void>): Promise<void> {
  await own[name].stop();
  await eventually(async () => (await fetch(`${world.url}/api/v2/health`)).status === 503, {
    what: 'health tells the truth',
  });
  await work();
  await own[name].restart();
  await world.loci.ready();
  const send = sending(world.url, { ...STATIC, hostedAdmin: '' });
  const memories = trial.subjects.filter(({ operation: { operationId } }) =>
    ['add_memories', 'search_memories', 'list_memories'].includes(operationId),
  );
  for (const subject of memories) {
    await eventually(async () => (await send(subject)).status === 200, { what: 'everything works again' });
  }
}

describe('while something is down', () => {
  test('500: an unforeseen failure is our fault', async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      withDatabase(own.postgres.servers.databaseUrl, (database) =>
        database.query(SCHEMAS.map((name) => `ALTER SCHEMA ${from}${name} RENAME TO ${to}${name};`).join('')),
      );
    await rename('', 'lost_');
    try {
      expect(await trial.provoke('500 internal_error', trial.guarded, whateverIsDown())).toEqual([]);
      expect(await tools.failures(STATIC.admin)).toEqual(ofEveryTool('500 internal_error'));
    } finally {
      await rename('lost_', '');
    }
  });

  test('504: services that hang', async () => {
    const pids = await Promise.all(SERVICES.map(async (name) => (await world.loci.process(name)).pid));
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      const name = '504 deadline_exceeded';
      const [mismatches, failures] = await Promise.all([
        trial.provoke(name, trial.guarded, whateverIsDown(world.strictUrl), trial.guarded.length),
        tools.failures(STATIC.admin, {}, world.strictUrl),
      ]);
      expect(mismatches).toEqual([]);
      expect(failures).toEqual(ofEveryTool(name));
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  test('503: Qdrant; adds go on, and what was added meanwhile is found afterwards', async () => {
    const headers = { authorization: `Bearer ${STATIC.admin}` };
    const client = new Client(world.url, PROJECT, { headers });
    let uid: string | undefined;
    await withoutServer('qdrant', async () => {
      const name = '503 vector_index_unavailable';
      const send = quickly(sending(world.url, { ...STATIC, hostedAdmin: '' }));
      expect(await trial.provoke(name, trial.documenting(name), send)).toEqual([]);
      expect(await tools.failures(STATIC.admin)).toMatchObject({ search_memory: name, get_context: name });
      [uid] = await client.add(['The zeppelin arrived during the outage.']);
    });
    await client.disableShortTerm();
    const isWhole = async (): Promise<boolean> => {
      const { headers: of } = await client.post('/memories/search', {
        query: 'zeppelin',
        types: ['episodic'],
      });
      return of.get('x-degraded') === null;
    };
    await eventually(isWhole, { what: 'every message has its vector' });
    const { longTerm } = await client.search('zeppelin', { top_k: 1 });
    expect(longTerm.map((episode) => episode.uid)).toEqual([uid]);
  });

  test.each([
    ['postgres', '503 database_unavailable'],
    ['nats', '503 service_unavailable'],
  ] as const)('503: %s', async (server, name) => {
    await withoutServer(server, async () => {
      const send = quickly(whateverIsDown());
      expect(await trial.provoke(name, trial.documenting(name), send)).toEqual([]);
      expect(await tools.failures(STATIC.admin)).toEqual(ofEveryTool(name));
    });
  });
});

test('every answer that the document has was given, over HTTP and by the tools of MCP', () => {
  expect(trial.subjects.length).toBeGreaterThan(100);
  expect(Object.values(tools.unseen).flat()).toEqual([]);
  expect(trial.unseen).toEqual({});
});
