import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createProject, importSemantic } from '@loci/contracts';
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
  gateway.rpc.on(
    createProject,
    ({ tenant }) => ({ tenant, projectUid: 'p', description: '', models: {} }) as never,
  );
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
