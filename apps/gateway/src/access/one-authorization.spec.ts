import { afterEach, expect, test } from '@jest/globals';
import { listProjects } from '@loci/contracts';
import { sendLines } from '../../test/raw-http.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { TestKeys } from '../../test/test-keys.js';

let gateway: TestGateway;

afterEach(() => gateway.app.close());

test('of several Authorization headers none counts, whichever of them is valid', async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  gateway.rpc.on(listProjects, () => ({ projects: [] }));
  const keys = new TestKeys();
  keys.serve(gateway);
  const valid = `Bearer ${keys.add({ scopes: ['admin'], bounds: {} })}`;
  const statusWith = async (...headers: readonly string[]): Promise<number> => {
    const lines = ['POST /api/v2/projects/list HTTP/1.1', 'host: localhost', ...headers];
    return (await sendLines(gateway, lines)).status;
  };
  expect(await statusWith(`Authorization: ${valid}`)).toBe(200);
  expect(await statusWith(`authorization: ${valid}`, 'Authorization: Bearer other')).toBe(401);
  expect(await statusWith('authorization: Bearer other', `AUTHORIZATION: ${valid}`)).toBe(401);
  expect(await statusWith(`authorization: ${valid}`, `authorization: ${valid}`)).toBe(401);
  expect(await statusWith(`authorization: ${valid}, ${valid}`)).toBe(401);
});
