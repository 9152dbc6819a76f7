import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createProject } from '@loci/contracts';
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
