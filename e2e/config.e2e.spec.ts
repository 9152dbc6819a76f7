import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { freePort } from '@loci/runtime';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Json } from './harness/client.js';
import { ConfigClient } from './harness/config-client.js';
import { withDatabase } from './harness/database.js';
import { filesContaining } from './harness/files.js';
import { SecondProcess } from './harness/second-process.js';

const SECRET = 'sk-planted-0815-4711';

const fileFor = (models: FakeModels): string => `# my own configuration
resources:
  language_models:
    from-file: # the good one
      provider: vendora-chat-completions
      config:
        model: some-model # cheap
        api_key: \${LOCI_MODEL_SECRET_OF_TEST}
        base_url: ${models.openAiUrl}
semantic_memory:
  # how soon
  ingestion_trigger_messages: 7
`;

let models: FakeModels;
let loci: Loci;
let config: ConfigClient;
let folder: string;
let file: string;

beforeAll(async () => {
  models = await FakeModels.start();
  folder = await mkdtemp(join(tmpdir(), 'loci-config-'));
  file = join(folder, 'loci.yml');
  await writeFile(file, fileFor(models));
  loci = await Loci.start({
    env: {
      MEMORY_CONFIG: file,
      LOCI_MODEL_SECRET_OF_TEST: 'a-good-key',
      MODEL_PROBE_WAIT_MS: '1500',
      // a probe whose process is killed is still its own when the next one is there, however busy the machine is
      MODEL_PROBE_TIMEOUT_MS: '60000',
      LOCI_LOG_LEVEL: 'debug',
    },
  });
  config = new ConfigClient(loci.url);
});

afterEach(() => models.reset());

afterAll(async () => {
  await loci.destroy();
  await models.close();
  await rm(folder, { recursive: true });
});

const chat = (name: string, changes: object = {}) => ({
  name,
  provider: 'openai-chat-completions',
  config: { model: 'some-model', api_key: SECRET, base_url: models.openAiUrl, ...changes },
});

const embedder = (name: string, changes: object = {}) => ({
  name,
  provider: 'openai',
  config: { api_key: SECRET, base_url: models.openAiUrl, ...changes },
});

const AWS = { aws_access_key_id: 'AKIDEXAMPLE', aws_secret_access_key: SECRET };

const pathOf = (name: string, kind = 'language_models'): string =>
  `/resources/${kind}/${encodeURIComponent(name)}`;

const statusOf = async (name: string, kind?: string): Promise<unknown> =>
  (await config.read(pathOf(name, kind)))['status'];

/** Another process takes its probe up now, not when the time for it is over. */
const endLeaseOf = async (name: string): Promise<void> =>
  withDatabase(await loci.databaseUrlOf('migrate'), async (client) => {
    await client.query(`UPDATE config.resources SET probe_until = now() WHERE name = $1`, [name]);
  });

describe('a resource', () => {
  test.each([
    ['language_models', () => chat('ready one')],
    ['language_models', () => ({ ...chat('alias'), provider: 'vendora-responses' })],
    ['embedders', () => embedder('ready/one')],
    ['rerankers', () => ({ name: 'ready', provider: 'embedder', config: { embedder_id: 'ready/one' } })],
  ])('201 ready: the provider answered the probe (%s, %#)', async (kind, spec) => {
    const { name } = spec();
    expect(await config.register(kind, spec())).toMatchObject({
      status: 201,
      body: { success: true, status: 'ready', error: null },
    });
    const listed = (await config.read('/resources'))[kind] as Json[];
    expect(listed.find((one) => one['name'] === name)).toMatchObject({ status: 'ready', error: null });
    const { transitions } = (await config.read(pathOf(name, kind))) as { transitions: Json[] };
    expect(transitions.map(({ from, to }) => [from, to])).toEqual([
      ['pending', 'ready'],
      [null, 'pending'],
    ]);
  });

  test.each([
    ['a wrong key', { api_key: 'wrong-key' }, /key/i],
    ['an unknown model', { model: 'unknown-model' }, /model/i],
    ['an address that metadata have', { base_url: 'http://169.254.169.254/v1' }, /169\.254|address|allowed/i],
    [
      'the same one, as IPv6',
      { base_url: 'http://[::a9fe:a9fe]/v1' },
      /'::a9fe:a9fe', which is refused: .*link-local/,
    ],
    ['a variable that is not set', { api_key: '$LOCI_MODEL_SECRET_MISSING' }, /LOCI_MODEL_SECRET_MISSING/],
  ])('201 failed: %s, with a reason to act on', async (name, changes, reason) => {
    const { status, body } = await config.register('language_models', chat(name, changes));
    expect({ status, body }).toMatchObject({ status: 201, body: { success: false, status: 'failed' } });
    expect(body['error']).toMatch(reason);
    expect((await config.read(pathOf(name)))['config']).toMatchObject({ model: expect.any(String) });
    expect((await config.delete(pathOf(name))).status).toBe(200);
  });

  test.each([
    ['language_models', 'openai-responses', { model: 'm', api_key: SECRET }],
    ['language_models', 'amazon-bedrock', { model_id: 'm', region: 'us-east-1', ...AWS }],
    ['embedders', 'openai', { api_key: SECRET }],
    ['rerankers', 'cohere', { cohere_key: SECRET }],
  ])('201 failed: a host that does not exist (%s, %s); the service goes on', async (kind, provider, own) => {
    const { pid } = await loci.process('config-service');
    const nowhere = 'http://metadata.google.internal/';
    const name = `nowhere ${provider}`;
    const spec = { name, provider, config: { ...own, base_url: nowhere, endpoint: nowhere } };
    const { status, body } = await config.register(kind, spec);
    expect({ status, body }).toMatchObject({ status: 201, body: { success: false, status: 'failed' } });
    expect(body['error']).toMatch(/can't be reached: its host name is unknown/);
    expect((await config.delete(pathOf(name, kind))).status).toBe(200);
    expect(await loci.process('config-service')).toMatchObject({ pid });
  });

  test('201 failed, then ready by itself: a server that is not up yet', async () => {
    const port = await freePort();
    const spec = chat('late', { base_url: `http://127.0.0.1:${port}/v1` });
    expect((await config.register('language_models', spec)).body).toMatchObject({ status: 'failed' });
    const late = await FakeModels.start({ port });
    try {
      await eventually(async () => (await statusOf('late')) === 'ready', {
        what: 'it is probed again',
      });
    } finally {
      await late.close();
    }
  });

  test('201 failed, then ready when a retry is asked for', async () => {
    models.fail({ path: 'chat/completions', status: 401, times: 1 });
    expect((await config.register('language_models', chat('again'))).body).toMatchObject({
      status: 'failed',
    });
    expect(await config.retry('language_models', 'again')).toMatchObject({
      status: 200,
      body: { success: true, status: 'ready', error: null },
    });
  });

  test('201 pending: a provider that takes its time; then what it says', async () => {
    models.fail({ path: 'chat/completions', delayMs: 5_000, times: 1 });
    expect(await config.post('/resources/language_models', chat('slow'))).toMatchObject({
      status: 201,
      body: { success: true, status: 'pending', error: null },
    });
    await eventually(async () => (await statusOf('slow')) === 'ready', { what: 'the probe is over' });
  });

  test('pending survives that the process is killed which probes it', async () => {
    models.fail({ path: 'chat/completions', kind: 'hang', times: 1 });
    await config.post('/resources/language_models', chat('orphan'));
    await loci.kill('config-service');
    await endLeaseOf('orphan');
    await eventually(async () => (await statusOf('orphan')) === 'ready', {
      what: 'another process probes it',
    });
  });

  test('failed, not probed again by itself: three processes in a row died of its probe', async () => {
    models.reset();
    const asked = (): number => models.calls('chat/completions').length;
    models.fail({ path: 'chat/completions', kind: 'hang', times: 3 });
    await config.post('/resources/language_models', chat('deadly'));
    for (const deaths of [1, 2, 3]) {
      await eventually(() => asked() === deaths, { what: `probe ${deaths} is under way` });
      await loci.kill('config-service');
      await endLeaseOf('deadly');
    }
    await eventually(async () => (await statusOf('deadly')) === 'failed', { what: 'it is set aside' });
    expect((await config.read(pathOf('deadly')))['error']).toMatch(/process that probed it ended.* 3 times/);
    await config.post('/resources/language_models', chat('harmless'));
    await eventually(async () => (await statusOf('harmless')) === 'ready', { what: 'another one is probed' });
    expect({ status: await statusOf('deadly'), probes: asked() }).toEqual({ status: 'failed', probes: 4 });
    await config.post(`${pathOf('deadly')}/retry`);
    await eventually(async () => (await statusOf('deadly')) === 'ready', { what: 'a retry probes it again' });
  });

  test('added again it is replaced and probed again', async () => {
    await config.post('/resources/language_models', chat('twice'));
    const { body } = await config.register('language_models', chat('twice', { model: 'unknown-model' }));
    expect(body).toMatchObject({ status: 'failed' });
    expect((await config.read(pathOf('twice')))['config']).toMatchObject({ model: 'unknown-model' });
  });

  test('422: every problem of a configuration with its path', async () => {
    const spec = { name: 'x', provider: 'vendora-chat-completions', config: {} };
    const { status, body } = await config.post('/resources/language_models', spec);
    expect(status).toBe(422);
    expect(body['detail']).toContainEqual(
      expect.objectContaining({ loc: ['body', 'config', 'model'], type: 'missing' }),
    );
    expect((await config.post('/resources/rerankers', { ...spec, provider: 'nope' })).body).toMatchObject({
      detail: [{ loc: ['body', 'provider'] }],
    });
  });

  test.each(['${LOCI_SECRET_KEYS}', '$DATABASE_URL', 'Bearer $PATH'])(
    '422: credentials that name a variable which is not for models (%s)',
    async (api_key) => {
      const thief = chat('thief', { api_key, model: 'model-of-a-thief' });
      const { status, body } = await config.post('/resources/language_models', thief);
      expect({ status, body }).toMatchObject({
        status: 422,
        body: {
          detail: [
            {
              loc: ['body', 'config', 'api_key'],
              msg: expect.stringContaining('begin with LOCI_MODEL_SECRET_'),
              type: 'forbidden_reference',
            },
          ],
        },
      });
      expect((await config.at('GET', `/api/v2/config${pathOf('thief')}`)).status).toBe(404);
      expect(models.calls().filter(({ body }) => body['model'] === 'model-of-a-thief')).toEqual([]);
    },
  );

  test('409: the message names what uses it; with force it is removed; 404 afterwards', async () => {
    const project = new Client(loci.url, { org_id: 'acme', project_id: 'user-of-embedder' });
    await config.post('/resources/embedders', embedder('used'));
    const created = await project.expect(201, '/projects', { config: { embedder: 'used' } });
    expect(created['config']).toMatchObject({ embedder: 'used', vector_store: 'qdrant' });
    expect(await config.delete(pathOf('used', 'embedders'))).toMatchObject({
      status: 409,
      body: { code: 'resource_in_use', used_by: ['project acme/user-of-embedder (embedder)'] },
    });
    expect(await config.delete(`${pathOf('used', 'embedders')}?force=true`)).toMatchObject({
      status: 200,
      body: { success: true, message: "Embedder 'used' removed successfully." },
    });
    expect(await config.delete(pathOf('used', 'embedders'))).toMatchObject({
      status: 404,
      body: { code: 'resource_not_found', detail: "Embedder 'used' not found." },
    });
  });

  test('409: what is built in stays', async () => {
    expect(await config.delete(`${pathOf('local', 'embedders')}?force=true`)).toMatchObject({
      status: 409,
      body: { code: 'resource_built_in' },
    });
  });
});

/** Without the states of models, which change by themselves. */
async function memorySettings(): Promise<Json> {
  const { resources, ...settings } = await config.read('');
  expect(resources).toBeDefined();
  return settings;
}

describe('the memory configuration', () => {
  test('is merged by part and as a whole, and read back everywhere', async () => {
    await config.post('/resources/embedders', embedder('for-memory'));
    expect(
      await config.put('/memory/episodic/long_term', { embedder: 'for-memory', enabled: true }),
    ).toMatchObject({
      status: 200,
      body: { success: true, message: 'Updated: embedder=for-memory, long_term_memory_enabled=True' },
    });
    const whole = {
      episodic_memory: { short_term_memory: { message_capacity: 1_000 } },
      semantic_memory: { ingestion_trigger_age_seconds: 60, llm_model: null },
    };
    expect((await config.put('/memory', whole)).body).toEqual({
      success: true,
      message:
        'Updated: episodic_memory.short_term_memory.message_capacity=1000, semantic_memory.ingestion_trigger_age_seconds=60',
    });
    expect(await config.read('')).toMatchObject({
      episodic_memory: {
        long_term_memory: { embedder: 'for-memory', vector_store: 'qdrant', enabled: true },
        short_term_memory: { message_capacity: 1_000, enabled: true },
      },
      semantic_memory: { ingestion_trigger_age_seconds: 60, ingestion_trigger_messages: 7 },
    });
    expect(await config.read('/memory/episodic/short_term')).toMatchObject({ message_capacity: 1_000 });
  });

  test('200: an update that names nothing changes nothing, and says so', async () => {
    const before = await memorySettings();
    const unchanged = { success: true, message: 'No changes applied.' };
    for (const [path, body] of [
      ['/memory', { episodic_memory: {} }],
      ['/memory', { semantic_memory: { llm_model: null, enabled: null }, episodic_memory: null }],
      ['/memory/episodic', {}],
      ['/memory/episodic/long_term', { embedder: null }],
      ['/memory/episodic/short_term', {}],
      ['/memory/semantic', {}],
    ] as const) {
      expect([path, (await config.put(path, body)).body]).toEqual([path, unchanged]);
    }
    expect(await memorySettings()).toEqual(before);
    for (const body of [{}, { episodic_memory: null, semantic_memory: null }]) {
      expect(await config.put('/memory', body)).toMatchObject({
        status: 400,
        body: { code: 'nothing_to_update' },
      });
    }
  });

  test('of a deployment without episodic memory leaves projects nothing to work with, until it is back', async () => {
    const project = new Client(loci.url, { org_id: 'acme', project_id: 'without' });
    const { config: own } = await project.expect(201, '/projects', {});
    await config.put('/memory/episodic', { enabled: false });
    const shown = (await project.expect(200, '/projects/get', {}))['config'];
    expect(shown).toMatchObject({ backend: null, embedder: '', vector_store: '', properties_schema: {} });
    await config.put('/memory/episodic', { enabled: true });
    expect((await project.expect(200, '/projects/get', {}))['config']).toEqual(own);
  });

  test('is what a project works with that chose nothing; one that chose keeps its own', async () => {
    const chose = new Client(loci.url, { org_id: 'acme', project_id: 'chose' });
    const choseNothing = new Client(loci.url, { org_id: 'acme', project_id: 'older' });
    await config.put('/memory/episodic/long_term', { embedder: 'local' });
    await chose.expect(201, '/projects', { config: { embedder: 'local' } });
    await choseNothing.expect(201, '/projects', {});
    await config.post('/resources/embedders', embedder('newer'));
    await config.put('/memory/episodic/long_term', { embedder: 'newer' });
    const after = new Client(loci.url, { org_id: 'acme', project_id: 'newer' });
    expect((await after.expect(201, '/projects', {}))['config']).toMatchObject({ embedder: 'newer' });
    expect((await choseNothing.expect(200, '/projects/get', {}))['config']).toMatchObject({
      embedder: 'newer',
    });
    expect((await chose.expect(200, '/projects/get', {}))['config']).toMatchObject({ embedder: 'local' });
    expect((await config.delete(pathOf('newer', 'embedders'))).status).toBe(409);
    await config.put('/memory/episodic/long_term', { embedder: 'local' });
  });

  test.each([
    [
      '/memory',
      { episodic_memory: { long_term_memory: { embedder: 'nope' } } },
      ['episodic_memory', 'long_term_memory', 'embedder'],
    ],
    ['/memory/episodic', { short_term_memory: { llm_model: 'nope' } }, ['short_term_memory', 'llm_model']],
    ['/memory/episodic/long_term', { reranker: 'nope' }, ['reranker']],
    ['/memory/semantic', { embedding_model: '' }, ['embedding_model']],
  ])('422 PUT %s %j: a name that is not registered changes nothing', async (path, body, loc) => {
    const before = await memorySettings();
    expect(await config.put(path, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...loc], type: 'unknown_resource' }] },
    });
    expect(await memorySettings()).toEqual(before);
  });
});

describe('what would do nothing is said', () => {
  test('a model that has failed, a size of vectors, and fields that nothing reads, with what mends it', async () => {
    await config.register('language_models', chat('broken', { model: 'unknown-model' }));
    const before = await config.read('/memory/semantic');
    const body = { llm_model: 'broken', vector_dimensions: 7, llm_modell: 'x' };
    const { body: answer, headers } = await config.put('/memory/semantic', body);
    expect(answer).toMatchObject({
      success: true,
      warnings: [
        expect.stringContaining('vector_dimensions has no effect'),
        expect.stringContaining('POST /api/v2/config/resources/language_models/broken/retry'),
      ],
      ignored_fields: ['llm_modell'],
    });
    expect(headers.get('x-ignored-fields')).toBe('llm_modell');
    await config.put('/memory/semantic', { llm_model: before['llm_model'] ?? '' });
  });

  test('an unknown setting of a provider', async () => {
    const { body } = await config.register('language_models', chat('hot', { tempratur: 1 }));
    expect(body).toMatchObject({ status: 'ready', ignored_fields: ['config.tempratur'] });
  });

  test('a name that is not registered: which operation registers it', async () => {
    const { body } = await config.put('/memory/semantic', { llm_model: 'nope' });
    expect(JSON.stringify(body)).toContain('POST /api/v2/config/resources/language_models');
  });
});

describe('the configuration file', () => {
  test('was taken over at the start, its reference resolved only in use', async () => {
    await eventually(async () => (await statusOf('from-file')) !== 'pending', { what: 'it is probed' });
    expect(await config.read(pathOf('from-file'))).toMatchObject({
      provider: 'openai-chat-completions',
      status: 'ready',
      config: { api_key: '${LOCI_MODEL_SECRET_OF_TEST}' },
    });
  });

  test('has what was changed over HTTP, its comments, and its references', async () => {
    await config.put('/memory/semantic', { ingestion_trigger_messages: 12, llm_model: 'from-file' });
    await eventually(async () => (await readFile(file, 'utf8')).includes('ingestion_trigger_messages: 12'), {
      what: 'the change is in the file',
    });
    const text = await readFile(file, 'utf8');
    for (const kept of [
      '# my own configuration',
      '# the good one',
      '# cheap',
      '# how soon',
      '${LOCI_MODEL_SECRET_OF_TEST}',
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('llm_model: from-file');
  });

  test('that is broken stops the start with line and column', async () => {
    const broken = join(folder, 'broken.yml');
    await writeFile(broken, 'resources:\n  embedders: [oops\n');
    await expect(Loci.start({ env: { MEMORY_CONFIG: broken } })).rejects.toThrow(
      /broken\.yml is wrong at line 3, column 1/,
    );
  });
});

describe('two config services', () => {
  /** How often a process was asked for an operation. */
  const countOf = async (operation: string, url: string): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const lines = metrics.split('\n').filter((line) => line.startsWith('rpc_server_requests_total'));
    const counts = lines
      .filter((line) => line.includes(`.${operation}"`))
      .map((line) => line.split(' ').at(-1));
    return counts.reduce((sum, count) => sum + Number(count), 0);
  };

  /** Repeats what asks for an operation until each process has answered it. */
  async function untilAllAnswered(
    operation: string,
    urls: readonly string[],
    ask: () => Promise<unknown>,
  ): Promise<void> {
    const count = (): Promise<number[]> => Promise.all(urls.map((url) => countOf(operation, url)));
    const before = await count();
    const hasEveryone = async (): Promise<boolean> => {
      await ask();
      return (await count()).every((answered, index) => answered > (before[index] ?? 0));
    };
    await eventually(hasEveryone, { what: `every process has answered ${operation}` });
  }

  test('agree on every model, whichever of them added it, and each model is probed once', async () => {
    const second = await SecondProcess.start(loci, 'config-service');
    try {
      const { ports } = await loci.process('config-service');
      const urls = [`http://127.0.0.1:${String(ports['http'])}`, second.url];
      const [names, seen]: [string[], unknown[]] = [[], []];
      await untilAllAnswered('resource.add', urls, async () => {
        const name = `shared-${names.length}`;
        names.push(name);
        const added = await config.post('/resources/language_models', chat(name, { model: name }));
        expect(added).toMatchObject({ status: 201, body: { error: null } });
        // a slow machine answers "pending" before the probe is over
        await eventually(async () => (await statusOf(name)) === 'ready', { what: `${name} is ready` });
      });
      await untilAllAnswered('resource.get', urls, async () => {
        seen.push(...(await Promise.all(names.map((name) => statusOf(name)))));
      });
      expect(new Set(seen)).toEqual(new Set(['ready']));
      const probed = models.calls('/chat/completions').map(({ body }) => String(body['model']));
      expect(probed.filter((model) => names.includes(model)).sort()).toEqual(names.sort());
    } finally {
      await second.stop();
    }
  });
});

test('a secret is in no answer, log, file or database, only encrypted', async () => {
  await config.post('/resources/language_models', chat('holder', { base_url: 'http://127.0.0.1:9/v1' }));
  await config.read('');
  await config.read(pathOf('holder'));
  await eventually(async () => (await readFile(file, 'utf8')).includes('holder'), {
    what: 'the file has it',
  });
  expect(config.answered.length).toBeGreaterThan(20);
  expect(config.answered.filter((text) => text.includes(SECRET))).toEqual([]);
  await loci.stop();
  expect(await filesContaining(loci.dataDir, SECRET)).toEqual([]);
  expect(await filesContaining(folder, SECRET)).toEqual([]);
  expect((await filesContaining(loci.dataDir, 'sealed:v1:')).length).toBeGreaterThan(0);
  expect(loci.printed).not.toContain(SECRET);
  expect(await filesContaining(loci.dataDir, 'a-good-key')).toEqual([]);
});
