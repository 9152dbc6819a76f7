import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, conflict, createProject, unavailable, updateEpisodicSettings } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const bounds = { orgId: 'acme', projectId: 'apollo' };

/** As config keeps it; and which answers it remembers, by their keys. */
let project: string | undefined;
let remembered: Map<string, string>;
let made: number;
/** How the next change of settings fails. */
let failure: AppError | undefined;
/** In force, by the project. */
let settings: Map<string, boolean | undefined>;

let gateway: TestGateway;
let keys: TestKeys;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
});

beforeEach(() => {
  project = undefined;
  failure = undefined;
  remembered = new Map();
  settings = new Map();
  made = 0;
  keys = new TestKeys();
  keys.serve(gateway);
  gateway.rpc.on(createProject, ({ idempotency }) => {
    const known = remembered.get(idempotency?.key ?? '');
    if (known !== undefined) return { projectUid: known } as never;
    if (project !== undefined) throw conflict('project_exists', 'It is there.');
    project = `project ${(made += 1)}`;
    if (idempotency) remembered.set(idempotency.key, project);
    return { projectUid: project } as never;
  });
  const changed = new Set<string>();
  gateway.rpc.on(updateEpisodicSettings, ({ enabled, idempotency }) => {
    if (failure) throw failure;
    if (!changed.has(idempotency?.key ?? '')) settings.set(project ?? '', enabled);
    if (idempotency) changed.add(idempotency.key);
    return {};
  });
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

/** Its answers go with it. */
function erase(): void {
  project = undefined;
  remembered.clear();
}

const LINE = { kind: 'project', format: 1, episodic_memory: { enabled: false } };

const importing = (producer?: string) =>
  gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: {
      ...bearer(keys.add({ scopes: ['write'], bounds, name: 'key', ...(producer && { producer }) })),
      'content-type': 'application/x-ndjson',
    },
    payload: `${JSON.stringify(LINE)}\n`,
  });

test('an import that failed between project and settings sets these when it is repeated', async () => {
  failure = unavailable('service_unavailable', 'Try again.');
  expect((await importing()).statusCode).toBe(503);
  expect(settings).toEqual(new Map());
  failure = undefined;
  expect((await importing()).statusCode).toBe(200);
  expect(settings).toEqual(new Map([['project 1', false]]));
});

test('a repeated import leaves settings alone that were chosen since', async () => {
  await importing();
  settings.set('project 1', true);
  expect((await importing()).statusCode).toBe(200);
  expect(settings).toEqual(new Map([['project 1', true]]));
});

test('a project that was there before keeps its settings', async () => {
  project = 'of others';
  expect((await importing()).statusCode).toBe(200);
  expect(settings).toEqual(new Map());
});

test('a project that was deleted since is made again, with its settings', async () => {
  await importing();
  erase();
  expect((await importing()).statusCode).toBe(200);
  expect(settings).toEqual(
    new Map([
      ['project 1', false],
      ['project 2', false],
    ]),
  );
});

test('one that took the name of a project that was deleted since keeps its settings', async () => {
  await importing();
  erase();
  project = 'of others';
  expect((await importing()).statusCode).toBe(200);
  expect([...settings.keys()]).toEqual(['project 1']);
});

test('a key of one producer makes the project and leaves its settings to others', async () => {
  failure = new AppError('producer_not_allowed', 'Not yours.');
  expect((await importing('bot')).statusCode).toBe(200);
  expect(project).toBe('project 1');
  expect(gateway.rpc.requests(updateEpisodicSettings)).toEqual([]);
});

test('200: another import of the same is done in a moment', async () => {
  failure = conflict('idempotency_key_in_flight', 'Wait.', { retryAfterSeconds: 1 });
  const answer = importing();
  await eventually(() => gateway.rpc.requests(updateEpisodicSettings).length > 1, { what: 'it asks again' });
  failure = undefined;
  expect((await answer).statusCode).toBe(200);
  expect(settings).toEqual(new Map([['project 1', false]]));
});

test('503: another import of the same is at it for long', async () => {
  failure = conflict('idempotency_key_in_flight', 'Wait.', { retryAfterSeconds: 1 });
  const { statusCode, headers } = await importing();
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
});
