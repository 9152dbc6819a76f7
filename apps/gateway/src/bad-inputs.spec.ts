import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  countEpisodes,
  deleteProject,
  getEpisodicSettings,
  getProject,
  listEpisodes,
  listFeatures,
  listProjects,
  notFound,
  removeEpisodes,
  removeFeatures,
  searchEpisodes,
  searchFeatures,
  updateEpisodicSettings,
} from '@loci/contracts';
import { BAD_INPUTS } from '../test/inputs/bad-inputs.js';
import { type Input } from '../test/inputs/input.js';
import { ODD_BUT_VALID } from '../test/inputs/odd-but-valid.js';
import { UNKNOWN_PROJECT } from '../test/inputs/unknown-project.js';
import { startTestGateway, type TestGateway } from '../test/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

async function send({ method, path, headers, body }: Input) {
  const payload =
    body === undefined || typeof body === 'string'
      ? body
      : Buffer.from(body instanceof Uint8Array ? body : JSON.stringify(body));
  const response = await gateway.app.inject({
    method,
    url: path,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    answer: response.json<{ detail?: unknown }>(),
  };
}

const named = (inputs: readonly Input[]): [string, Input][] => inputs.map((input) => [input.name, input]);

test('there are enough of them, each with a name of its own', () => {
  const names = [...BAD_INPUTS, ...UNKNOWN_PROJECT, ...ODD_BUT_VALID].map(({ name }) => name);
  expect(names.length).toBeGreaterThan(200);
  expect(new Set(names).size).toBe(names.length);
});

describe('is refused, and no service hears of it', () => {
  test.each(named(BAD_INPUTS))('%s', async (_, input) => {
    const { status, headers, answer } = await send(input);
    expect({ status, answer }).toMatchObject({ status: input.status });
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    if (input.status === 422) {
      expect(answer).toEqual({ detail: expect.any(Array) });
      const problem = {
        type: input.type,
        msg: expect.stringMatching(/^.{5,}$/),
        loc: input.loc ?? expect.any(Array),
      };
      expect(answer.detail).toContainEqual(problem);
    } else {
      expect(answer).toEqual({ detail: expect.stringMatching(/^[A-Z].{10,}\.$/), code: input.code });
    }
  });
});

describe('is not found', () => {
  test.each(named(UNKNOWN_PROJECT))('%s', async (_, input) => {
    const missing = (): never => {
      throw notFound('project_not_found', 'Project acme/bad-inputs does not exist; create it first.');
    };
    for (const operation of [
      getProject,
      deleteProject,
      removeEpisodes,
      removeFeatures,
      getEpisodicSettings,
      updateEpisodicSettings,
    ]) {
      gateway.rpc.on<never, never>(operation as never, missing);
    }
    const { status, answer } = await send(input);
    expect(status).toBe(404);
    expect(answer).toEqual({ detail: expect.any(String), code: 'project_not_found' });
  });
});

describe('is odd, but answered', () => {
  test.each(named(ODD_BUT_VALID))('%s', async (_, input) => {
    gateway.rpc
      .on(listEpisodes, () => ({ episodes: [], total: 0 }))
      .on(listFeatures, () => ({ features: [], total: 0 }))
      .on(searchFeatures, () => ({ features: [], degraded: [] }))
      .on(countEpisodes, () => ({ count: 0 }))
      .on(listProjects, () => ({ projects: [] }))
      .on(searchEpisodes, () => ({ enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] }));
    expect(await send(input)).toMatchObject({ status: 200 });
  });
});
