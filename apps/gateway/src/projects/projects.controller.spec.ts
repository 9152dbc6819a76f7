import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  conflict,
  countEpisodes,
  createProject,
  deleteProject,
  configureProject,
  getProject,
  getFeatureIndex,
  getProjectIndex,
  invalid,
  listProjects,
  notFound,
  type Project,
} from '@loci/contracts';
import { PROJECT } from '../../test/projects.js';
import { get, post, put, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const URL = '/api/v2/projects';
const TENANT = { org_id: 'acme', project_id: 'apollo' };
const tenant = { orgId: 'acme', projectId: 'apollo' };

const project: Project = {
  ...PROJECT,
  tenant,
  description: 'notes',
  config: { ...PROJECT.config, propertiesSchema: { room: 'int' } },
};

const shown = {
  ...TENANT,
  description: 'notes',
  config: {
    backend: 'event',
    embedder: 'local',
    reranker: '',
    vector_graph_store: '',
    vector_store: 'qdrant',
    segment_store: 'postgres',
    properties_schema: { room: 'int' },
  },
};

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

test('201: create shows the configuration that is in force', async () => {
  gateway.rpc.on(createProject, () => project);
  expect(await post(gateway, URL, { ...TENANT, description: 'notes' })).toMatchObject({
    status: 201,
    body: shown,
  });
  expect(JSON.parse(JSON.stringify(gateway.rpc.requests(createProject)))).toEqual([
    { tenant, description: 'notes' },
  ]);
});

test('200: while the deployment has no episodic memory, nothing of the configuration is in force', async () => {
  gateway.rpc.on(getProject, () => ({ ...project, isEpisodicEnabled: false }));
  const nameless = {
    embedder: '',
    reranker: '',
    vector_graph_store: '',
    vector_store: '',
    segment_store: '',
  };
  expect(await post(gateway, `${URL}/get`, TENANT)).toMatchObject({
    status: 200,
    body: { ...shown, config: { backend: null, ...nameless, properties_schema: {} } },
  });
});

test('201: create passes on what was asked for, and fills the rest with empty names', async () => {
  gateway.rpc.on(createProject, () => project);
  const config = { backend: null, embedder: 'e5', properties_schema: { at: 'datetime' }, unknown: 1 };
  expect(await post(gateway, URL, { ...TENANT, config })).toMatchObject({ status: 201 });
  expect(JSON.parse(JSON.stringify(gateway.rpc.requests(createProject)))).toEqual([
    {
      tenant,
      description: '',
      config: {
        embedder: 'e5',
        reranker: '',
        vectorGraphStore: '',
        vectorStore: '',
        segmentStore: '',
        propertiesSchema: { at: 'datetime' },
      },
    },
  ]);
});

test('201: create names the fields that nothing reads', async () => {
  gateway.rpc.on(createProject, () => project);
  const { headers } = await post(gateway, URL, { ...TENANT, colour: 1, config: { vector_dimensions: 3 } });
  expect(headers['x-ignored-fields']).toBe('colour, config.vector_dimensions');
});

test('409: create refuses a name that is taken', async () => {
  gateway.rpc.on(createProject, () => {
    throw conflict('project_exists', 'Project acme/apollo already exists; use it, or delete it first.');
  });
  expect(await post(gateway, URL, TENANT)).toMatchObject({ status: 409, body: { code: 'project_exists' } });
});

test('422: create names an unknown model with its path', async () => {
  const problem = { loc: ['body', 'config', 'embedder'], msg: 'Unknown embedder.', type: 'unknown_resource' };
  gateway.rpc.on(createProject, () => {
    throw invalid('unknown_resource', [problem]);
  });
  expect(await post(gateway, URL, TENANT)).toMatchObject({ status: 422, body: { detail: [problem] } });
});

test('200: get', async () => {
  gateway.rpc.on(getProject, () => project);
  expect(await post(gateway, `${URL}/get`, TENANT)).toMatchObject({ status: 200, body: shown });
});

test('404: get names the project in a sentence, which clients print', async () => {
  gateway.rpc.on(getProject, () => {
    throw notFound('project_not_found', 'Project acme/apollo does not exist; create it first.');
  });
  expect(await post(gateway, `${URL}/get`, TENANT)).toMatchObject({
    status: 404,
    body: { detail: 'Project acme/apollo does not exist; create it first.', code: 'project_not_found' },
  });
});

test('200: list is an array of names, of the whole deployment', async () => {
  gateway.rpc.on(listProjects, () => ({ projects: [tenant, { orgId: 'globex', projectId: 'x' }] }));
  expect(await post(gateway, `${URL}/list`)).toMatchObject({
    status: 200,
    body: [TENANT, { org_id: 'globex', project_id: 'x' }],
  });
  expect(gateway.rpc.requests(listProjects)).toEqual([{}]);
});

test('200: count', async () => {
  gateway.rpc.on(countEpisodes, () => ({ count: 7 }));
  expect(await post(gateway, `${URL}/episode_count/get`, TENANT)).toMatchObject({
    status: 200,
    body: { count: 7 },
  });
  gateway.rpc.on(countEpisodes, () => ({ count: 7, isAtLeast: true }));
  expect(await post(gateway, `${URL}/episode_count/get`, TENANT)).toMatchObject({
    status: 200,
    body: { count: 7, at_least: true },
  });
});

test('204: delete', async () => {
  gateway.rpc.on(deleteProject, () => ({}));
  expect(await post(gateway, `${URL}/delete`, TENANT)).toMatchObject({ status: 204, body: undefined });
  expect(gateway.rpc.requests(deleteProject)).toMatchObject([{ tenant }]);
});

test('200: configure changes what is named and shows what is in force', async () => {
  gateway.rpc.on(configureProject, () => project);
  const answer = await put(gateway, `${URL}/config`, { ...TENANT, embedder: 'e5', reranker: null });
  expect(answer).toMatchObject({ status: 200, body: shown });
  expect(JSON.parse(JSON.stringify(gateway.rpc.requests(configureProject)))).toEqual([
    { tenant, embedder: 'e5' },
  ]);
});

test('200: the index of a project shows where it is and where it moves', async () => {
  const indexVersion = { embedder: 'local', fingerprint: 'f', dimensions: 4, indexed: 2 };
  gateway.rpc.on(getProjectIndex, () => ({
    state: 'moving' as const,
    embedder: 'e5',
    episodes: 3,
    active: indexVersion,
    unsupportedLanguages: ['de'],
  }));
  const features = { state: 'waiting' as const, embedder: 'e6', features: 7, problem: 'It is down.' };
  gateway.rpc.on(getFeatureIndex, () => ({
    ...features,
    active: [{ ...indexVersion, sets: 2 }],
    target: [],
  }));
  expect(await get(gateway, `${URL}/index?org_id=acme&project_id=apollo`)).toMatchObject({
    status: 200,
    body: {
      state: 'moving',
      embedder: 'e5',
      episodes: 3,
      active: indexVersion,
      unsupported_languages: ['de'],
      target: null,
      problem: null,
      features: { ...features, active: [{ ...indexVersion, sets: 2 }], target: [] },
    },
  });
  expect(gateway.rpc.requests(getProjectIndex)).toMatchObject([{ tenant }]);
});

test('422: the index of a project without its name', async () => {
  expect(await get(gateway, `${URL}/index?org_id=acme`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'project_id'], type: 'missing' }] },
  });
});
