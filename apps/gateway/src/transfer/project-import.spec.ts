import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createProject, forbidden, getProject, importSemantic, invalid, unavailable } from '@loci/contracts';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const PROJECT = JSON.stringify({ kind: 'project', format: 1, org_id: 'acme', project_id: 'old' });

test('the project is made as the first line says, once for a body of many such lines', async () => {
  gateway.rpc.on(createProject, () => ({ projectUid: 'p' }) as never);
  gateway.rpc.on(getProject, () => ({ projectUid: 'p' }) as never);
  const answer = await gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: `${PROJECT}\n`.repeat(100),
  });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('"lines":100')]);
  expect(gateway.rpc.requests(createProject)).toHaveLength(1);
});

test('what clients say ends before it begins is refused with the number of the line', async () => {
  gateway.rpc.on(importSemantic, () => ({ added: 1, datesLeftOut: 1 }));
  const line = (until: string, episode?: string): string =>
    JSON.stringify({
      ...{ kind: 'feature', uid: 'f', category: 'profile', tag: 'home', feature_name: 'city', value: 'Graz' },
      set: { is_org_level: false, tags: {} },
      dates: [
        { bound: 'from', at: '2024-05-01T00:00:00Z', precision: 'day' },
        { bound: 'until', at: until, precision: 'day', episode },
      ],
    });
  const [before, since] = ['2024-04-30T00:00:00Z', '2024-05-01T00:00:00Z'];
  const answer = await gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: `${line(since)}\n${line(before, 'e')}\n${line(before)}\n`,
  });
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    {
      detail: [
        {
          loc: ['body', 3, 'dates'],
          msg: expect.stringContaining('nothing ends before it begins') as unknown,
          type: 'value_error',
        },
      ],
    },
  ]);
  expect(answer.headers['x-lines-taken']).toBe('2');
  const taken = await gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: `${line(before, 'e')}\n`,
  });
  expect(taken.json()).toEqual({ lines: 1, added: 1, existing: 0, skipped: 0, dates_left_out: 1 });
});

const importing = (...lines: readonly string[]) =>
  gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: lines.map((line) => `${line}\n`).join(''),
  });

const feature = (value: string): string =>
  JSON.stringify({
    ...{ kind: 'feature', uid: value, category: 'profile', tag: 'home', feature_name: 'city', value },
    set: { is_org_level: false, tags: {} },
  });

/** The values of the features that were stored: a batch with one that is refused is refused as a whole. */
function storing(refusal: Error): string[] {
  const stored: string[] = [];
  gateway.rpc.on(importSemantic, ({ parts: { features } }) => {
    if (features.some(({ value }) => value === 'bad')) throw refusal;
    stored.push(...features.map(({ value }) => value));
    return { added: features.length };
  });
  return stored;
}

test('422: a line that the service refuses is named, and the lines before it are stored', async () => {
  const problem = { msg: 'This is no id', type: 'value_error' };
  const stored = storing(invalid('invalid_request', [{ ...problem, loc: ['body', 'set', 'id'] }]));
  const answer = await importing(feature('a'), '', feature('b'), feature('bad'), feature('c'));
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    { detail: [{ ...problem, loc: ['body', 4, 'set', 'id'] }] },
  ]);
  expect(answer.headers['x-lines-taken']).toBe('3');
  expect(stored).toEqual(['a', 'b']);
});

test('422: one line alone that the service refuses is named', async () => {
  storing(invalid('invalid_request', [{ loc: ['body', 'set', 'id'], msg: 'No', type: 'value_error' }]));
  const answer = await importing(feature('bad'));
  expect(answer.json()).toMatchObject({ detail: [{ loc: ['body', 1, 'set', 'id'] }] });
  expect(answer.headers['x-lines-taken']).toBe('0');
});

test('403: the lines before one that is not its to say are stored, and their number says which it is', async () => {
  const stored = storing(forbidden('producer_not_allowed', 'This is not yours to say.'));
  const answer = await importing(feature('a'), feature('b'), feature('bad'), feature('c'));
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'producer_not_allowed' }]);
  expect(answer.headers['x-lines-taken']).toBe('2');
  expect(stored).toEqual(['a', 'b']);
});

test('503: what went unanswered is not asked line by line', async () => {
  storing(unavailable('service_unavailable', 'Try again.'));
  const answer = await importing(feature('a'), feature('bad'));
  expect([answer.statusCode, answer.headers['x-lines-taken']]).toEqual([503, '0']);
  expect(gateway.rpc.requests(importSemantic)).toHaveLength(1);
});

test('a message that names more categories than are noted for one is refused with the number of the line', async () => {
  const names = Array.from({ length: 1_001 }, (_, index) => `c${index}`);
  const set = { is_org_level: false, tags: {}, categories: names };
  const answer = await importing(
    JSON.stringify({ kind: 'episode', uid: 'e', content: 'x', ingested: [set, set] }),
  );
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { detail: [{ loc: ['body', 1, 'ingested'], type: 'too_long' }] },
  ]);
});
